// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.testing;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;

/** A claim behind a bad network. */
final class LossyClaim extends ForwardingClaim {
    private final Losses losses;

    LossyClaim(Claim inner, Losses losses) {
        super(inner);
        this.losses = losses;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return losses.apply(Operation.TRY, () -> inner().tryAcquire(atMost));
    }

    @Override
    public boolean renew(Duration atMost) {
        return uninterrupted(Operation.RENEW, () -> inner().renew(atMost));
    }

    @Override
    public boolean release(Duration atMost) {
        return uninterrupted(Operation.RELEASE, () -> inner().release(atMost));
    }

    private boolean uninterrupted(Operation operation, Losses.Call call) {
        try {
            return losses.apply(operation, call);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BackendException("interrupted while the reply was under way", interrupted);
        }
    }
}
