// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockOptions;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.local.Nanos;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@link DistributedReentrantLock} for one name: keeps one lease for each thread that holds the lock.
 * Thread-safe.
 */
final class ReentrantView implements DistributedReentrantLock {
    private final Engine engine;
    private final ThreadHolds holds;
    private final String name;
    private final LockOptions options;

    ReentrantView(Engine engine, String name, LockOptions options) {
        this.engine = engine;
        this.holds = engine.threadHolds();
        this.name = name;
        this.options = options;
    }

    @Override
    public Optional<Lease> lease() {
        ThreadHolds.Inside inside = holds.current(name);
        return inside == null ? Optional.empty() : Optional.of(inside.lease);
    }

    @Override
    public boolean leaveIfLost() {
        ThreadHolds.Inside inside = holds.current(name);
        if (inside == null || !inside.isLost()) {
            return false;
        }
        holds.leave(name);
        return true;
    }

    @Override
    public int holdCount() {
        ThreadHolds.Inside inside = holds.current(name);
        return inside == null ? 0 : inside.count;
    }

    @Override
    public void lock() {
        if (!enteredAgain()) {
            entered(engine.acquireUninterruptibly(name, options, Nanos.FOREVER));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking '" + name + "'");
        }
        if (!enteredAgain()) {
            entered(engine.acquire(name, options, Nanos.FOREVER, true));
        }
    }

    @Override
    public boolean tryLock() {
        return enteredAgain() || entered(engine.acquireUninterruptibly(name, options, 0));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking '" + name + "'");
        }
        long nanos = Math.min(
                Nanos.FOREVER, Math.max(0, Objects.requireNonNull(unit, "unit").toNanos(time)));
        return enteredAgain() || entered(engine.acquire(name, options, nanos, true));
    }

    @Override
    public void unlock() {
        ThreadHolds.Inside inside = holds.current(name);
        if (inside == null) {
            throw new IllegalMonitorStateException("this thread does not hold lock '" + name + "'");
        }
        if (--inside.count > 0) {
            inside.lease.ensureHeld();
            return;
        }
        holds.leave(name);
        if (inside.isReleased()) {
            throw new IllegalStateException("the lease of lock '" + name + "' was released before this unlock()");
        }
        if (!inside.lease.release()) {
            inside.lease.ensureHeld();
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "a distributed lock has no conditions: they cannot be signalled between processes");
    }

    /** All views of one name from one client are the same lock, whatever their options. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ReentrantView that && engine == that.engine && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(engine) + name.hashCode();
    }

    /** The name, and what the calling thread and this client have of it. No I/O. */
    @Override
    public String toString() {
        int count = holdCount();
        String others = engine.isHeldHere(name) ? "Locked by others of this client" : "Unlocked in this client";
        return "DistributedReentrantLock[" + name + ", "
                + (count == 0 ? others : "Locked by this thread, hold count " + count) + "]";
    }

    private boolean enteredAgain() {
        ThreadHolds.Inside inside = holds.current(name);
        if (inside == null) {
            return false;
        }
        inside.lease.ensureHeld();
        inside.enterAgain();
        return true;
    }

    private boolean entered(@Nullable LeaseHandle lease) {
        if (lease == null) {
            return false;
        }
        boolean entered = false;
        try {
            holds.enter(name, lease);
            entered = true;
            return true;
        } finally {
            if (!entered) {
                // No memory was left: nobody could unlock.
                lease.held().giveBack();
            }
        }
    }
}
