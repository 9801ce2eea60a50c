// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Lease;
import io.mortise.lock.Loss;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Implements the {@link Lease} that a user gets, as a thin handle on a {@link HeldLease}. The engine keeps only a weak
 * reference to it: when nobody can reach it any more, nobody can release it, and the lease is left to end.
 */
public final class LeaseHandle implements Lease {
    private final HeldLease lease;

    LeaseHandle(HeldLease lease) {
        this.lease = lease;
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
        lease.ensureHeld();
    }

    /** In this order: a release beside this either sees that it is forbidden, or is seen. */
    @Override
    public void forbidHandOver() {
        lease.forbidHandOver();
        ensureHeld();
    }

    @Override
    public Duration extend(Duration length) {
        try {
            return lease.extend(Objects.requireNonNull(length, "length"));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public boolean isWithoutLock() {
        return false;
    }

    @Override
    public Lease whenAtRisk(BiConsumer<Lease, Duration> listener) {
        Objects.requireNonNull(listener, "listener");
        lease.listen(listeners -> listeners.addAtRisk(listener));
        return this;
    }

    @Override
    public Lease whenLost(BiConsumer<Lease, Loss> listener) {
        Objects.requireNonNull(listener, "listener");
        lease.listen(listeners -> listeners.addLost(listener));
        return this;
    }

    @Override
    public Lease whenRevoked(BiConsumer<Lease, String> listener) {
        Objects.requireNonNull(listener, "listener");
        lease.listen(listeners -> listeners.addRevoked(listener));
        return this;
    }

    /** Nobody is to take it for abandoned meanwhile. */
    @Override
    public boolean release() {
        try {
            return lease.release();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public void close() {
        if (!lease.wasReleasedByThisThread() && !lease.release()) {
            lease.ensureNotLost();
        }
    }

    @Override
    public String toString() {
        return "Lease[" + lockName() + ", " + (isHeld() ? "held for at least " + remaining() : "not held") + "]";
    }
}
