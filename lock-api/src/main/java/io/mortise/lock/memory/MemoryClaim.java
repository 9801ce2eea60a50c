// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memory;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A claim on a {@link MemoryStore}. The store's monitor guards its fields; the store compares the object instead of an owner. */
final class MemoryClaim implements Claim {
    final ClaimRequest request;
    final Runnable nudge;
    private final MemoryBackend backend;

    long fencingToken;
    long until;

    @Nullable
    Loss loss;

    private @Nullable Duration retryAfter;
    private boolean released;
    private volatile boolean heldAtRefusal;

    MemoryClaim(MemoryBackend backend, ClaimRequest request, Runnable nudge) {
        this.backend = backend;
        this.request = request;
        this.nudge = nudge;
    }

    @Override
    public boolean tryAcquire(Duration atMost) {
        MemoryStore store = backend.store();
        return store.call(atMost, () -> {
            // A try that comes after the release, because it was held up on its way, must not get anything.
            if (released) {
                return false;
            }
            retryAfter = null;
            return store.lock(request.lock()).tryAcquire(this, store.nanos(), store.micros());
        });
    }

    void refused(long retryAfterNanos) {
        retryAfter = Duration.ofNanos(retryAfterNanos);
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        MemoryStore store = backend.store();
        return store.call(atMost, () -> {
            MemoryLock lock = store.existing(request.lock());
            if (lock != null && lock.renew(this, lease, store.nanos())) {
                return true;
            }
            heldAtRefusal = lock != null && lock.heldBy(this, store.nanos());
            explainLoss(lock, store.nanos());
            return false;
        });
    }

    @Override
    public boolean release(Duration atMost) {
        MemoryStore store = backend.store();
        return store.call(atMost, () -> {
            released = true;
            MemoryLock lock = store.existing(request.lock());
            if (lock != null && lock.release(this, store.nanos())) {
                store.discardIfIdle(lock);
                return true;
            }
            explainLoss(lock, store.nanos());
            return false;
        });
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return heldAtRefusal;
    }

    @Override
    public long fencingToken() {
        return fencingToken;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        MemoryStore store = backend.store();
        return store.call(atMost, () -> {
            MemoryLock lock = store.existing(request.lock());
            return lock != null && lock.raiseToken(this, token, store.nanos());
        });
    }

    @Override
    public Loss loss() {
        Loss told = loss;
        return told == null ? Claim.super.loss() : told;
    }

    private void explainLoss(@Nullable MemoryLock lock, long now) {
        if (loss != null) {
            return;
        }
        if (lock != null && lock.heldByAnother(this, now)) {
            loss = new Loss(LossCause.TAKEN_OVER, "another client holds it");
        } else if (until - now <= 0) {
            loss = new Loss(LossCause.EXPIRED, "the lease ended in the store");
        } else {
            loss = Claim.super.loss();
        }
    }
}
