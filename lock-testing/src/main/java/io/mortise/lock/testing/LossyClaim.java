// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.testing;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;

/** A claim whose calls go through the bad network of a {@link LossyBackend}. */
final class LossyClaim extends ForwardingClaim {
    private final NetworkFaults faults;

    LossyClaim(Claim inner, NetworkFaults faults) {
        super(inner);
        this.faults = faults;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return faults.apply(Operation.TRY, () -> inner().tryAcquire(atMost));
    }

    @Override
    public boolean renew(Duration atMost) {
        return withoutInterrupt(Operation.RENEW, () -> inner().renew(atMost));
    }

    @Override
    public boolean release(Duration atMost) {
        return withoutInterrupt(Operation.RELEASE, () -> inner().release(atMost));
    }

    private boolean withoutInterrupt(Operation operation, NetworkFaults.Call call) {
        try {
            return faults.apply(operation, call);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BackendException("interrupted while the reply was under way", interrupted);
        }
    }
}
