// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;

/** A client of a store in this JVM behind a {@link CuttableWay}. */
public final class CuttableBackend extends ForwardingBackend {
    private final CuttableWay way;

    private CuttableBackend(LockBackend inner, CuttableWay way) {
        super(inner);
        this.way = way;
    }

    /**
     * A backend by the route that a name says.
     *
     * @param store the empty string, for none, or the store of a route
     * @param backend a client of the store
     * @return the same, or a client behind the route
     */
    public static LockBackend behind(String store, LockBackend backend) {
        CuttableWay way = CuttableWay.of(store);
        return way == null ? backend : new CuttableBackend(backend, way);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        Runnable heard = () -> {
            if (!way.isCut()) {
                nudge.run();
            }
        };
        return new ForwardingClaim(super.claim(request, heard)) {
            @Override
            public boolean tryAcquire(Duration atMost) throws InterruptedException {
                return way.pass(() -> super.tryAcquire(atMost), atMost);
            }

            @Override
            public boolean renew(Duration lease, Duration atMost) {
                return way.passUninterrupted(() -> super.renew(lease, atMost), atMost);
            }

            @Override
            public boolean release(Duration atMost) {
                return way.passUninterrupted(() -> super.release(atMost), atMost);
            }
        };
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return renewOneByOne(renewals, atMost);
    }
}
