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
import java.util.concurrent.atomic.AtomicLong;

/** A client of a store in this JVM, to which each call is one operation. */
public final class CountingBackend extends ForwardingBackend {
    private final AtomicLong operations;

    /**
     * Counts from now on.
     *
     * @param inner a client of the store
     * @param operations what is counted up
     */
    public CountingBackend(LockBackend inner, AtomicLong operations) {
        super(inner);
        this.operations = operations;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new ForwardingClaim(super.claim(request, nudge)) {
            @Override
            public boolean tryAcquire(Duration atMost) throws InterruptedException {
                operations.incrementAndGet();
                return super.tryAcquire(atMost);
            }

            @Override
            public boolean renew(Duration lease, Duration atMost) {
                operations.incrementAndGet();
                return super.renew(lease, atMost);
            }

            @Override
            public boolean release(Duration atMost) {
                operations.incrementAndGet();
                return super.release(atMost);
            }
        };
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return renewOneByOne(renewals, atMost);
    }
}
