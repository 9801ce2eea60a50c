// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A claim on a {@link TinyStore}. */
final class TinyClaim implements Claim {
    final TinyBackend backend;
    final ClaimRequest request;
    final Runnable nudge;
    volatile Duration lease;
    volatile long fence;
    volatile boolean released;
    volatile boolean heldAtRefusal;
    volatile Loss loss = new Loss(LossCause.EVICTED_OR_DELETED, "it is not known");

    TinyClaim(TinyBackend backend, ClaimRequest request, Runnable nudge) {
        this.backend = backend;
        this.request = request;
        this.lease = request.lease();
        // Whoever is cut off hears nothing.
        this.nudge = backend.way == null
                ? nudge
                : () -> {
                    if (!backend.way.isCut()) {
                        nudge.run();
                    }
                };
    }

    @Override
    public boolean tryAcquire(Duration atMost) {
        return call(atMost, () -> {
            lease = request.lease();
            return backend.store.tryAcquire(this);
        });
    }

    @Override
    public boolean renew(Duration length, Duration atMost) {
        return call(atMost, () -> {
            lease = length;
            return backend.store.renew(this);
        });
    }

    @Override
    public boolean release(Duration atMost) {
        return call(atMost, () -> backend.store.release(this));
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return backend.store.holdsUntilLeaseEnds(this);
    }

    @Override
    public long fencingToken() {
        return fence;
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        return call(atMost, () -> backend.store.raise(this, token));
    }

    @Override
    public Duration leaseSpent() {
        return backend.store.spent(this);
    }

    @Override
    public Optional<Duration> retryAfter() {
        return backend.store.retryAfter(this);
    }

    @Override
    public Loss loss() {
        return loss;
    }

    private boolean call(Duration atMost, BooleanSupplier question) {
        if (backend.isClosed()) {
            throw new BackendException("this client is closed", null);
        }
        return backend.store.call(this, atMost, question);
    }
}
