// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Lease;
import io.mortise.lock.Loss;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Implements the {@link Lease} that a user gets, as a thin handle on a {@link HeldLease}. The engine keeps only a weak
 * reference to it: when nobody can reach it any more, nobody can release it, and the lease is left to end.
 */
public final class LeaseHandle implements Lease {
    private final HeldLease lease;
    private final AtomicBoolean released = new AtomicBoolean();
    private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();

    /** The handle of a lease; a lease has one. */
    public LeaseHandle(HeldLease lease) {
        this.lease = lease;
        WeakReference<LeaseHandle> self = new WeakReference<>(this);
        lease.abandonedWhen(() -> self.refersTo(null));
    }

    public HeldLease held() {
        return lease;
    }

    @Override
    public String lockName() {
        return lease.lockName();
    }

    @Override
    public long fencingToken() {
        if (lease.fencingToken() == 0) {
            throw new UnsupportedOperationException("the store has no fencing tokens; choose one that is FENCED");
        }
        return lease.fencingToken();
    }

    @Override
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Override
    public Duration remaining() {
        return lease.remaining();
    }

    @Override
    public void ensureHeld() {
        if (!lease.isHeld()) {
            lease.ensureNotLost();
            throw new IllegalStateException("the lease of lock '" + lockName() + "' was released");
        }
    }

    /** In this order: a release beside this either sees that it is forbidden, or is seen. */
    @Override
    public void forbidHandOver() {
        lease.forbidHandOver();
        ensureHeld();
    }

    @Override
    public Duration extend(Duration length) {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public boolean isWithoutLock() {
        return false;
    }

    @Override
    public Lease whenAtRisk(BiConsumer<Lease, Duration> listener) {
        Objects.requireNonNull(listener, "listener");
        lease.listen(listeners -> listeners.addAtRisk(left -> listener.accept(this, left)));
        return this;
    }

    @Override
    public Lease whenLost(BiConsumer<Lease, Loss> listener) {
        Objects.requireNonNull(listener, "listener");
        lease.listen(listeners -> listeners.addLost(loss -> listener.accept(this, loss)));
        return this;
    }

    @Override
    public Lease whenRevoked(BiConsumer<Lease, String> listener) {
        throw new UnsupportedOperationException("not built yet");
    }

    @Override
    public boolean release() {
        if (released.compareAndSet(false, true)) {
            try {
                outcome.complete(lease.release());
            } catch (RuntimeException unanswered) {
                outcome.completeExceptionally(unanswered);
            }
        }
        try {
            return outcome.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException original) {
                throw original;
            }
            throw failed;
        }
    }

    @Override
    public void close() {
        if (!released.get() && !release()) {
            lease.ensureNotLost();
        }
    }

    @Override
    public String toString() {
        return "Lease[" + lockName() + ", " + (isHeld() ? "held for at least " + remaining() : "not held") + "]";
    }
}
