// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** The thread-owned, re-entrant view of a lock. Thread-safe. */
final class ReentrantView implements DistributedReentrantLock {
    private final NamedLock lock;
    private final ThreadHolds holds;

    ReentrantView(NamedLock lock, ThreadHolds holds) {
        this.lock = lock;
        this.holds = holds;
    }

    @Override
    public Optional<Lease> lease() {
        ThreadHolds.Inside inside = holds.current(lock.name());
        return inside == null ? Optional.empty() : Optional.of(inside.lease());
    }

    @Override
    public int holdCount() {
        ThreadHolds.Inside inside = holds.current(lock.name());
        return inside == null ? 0 : inside.count();
    }

    @Override
    public void lock() {
        try {
            if (!enteredAgain()) {
                entered(lock.acquire(Nanos.FOREVER, false));
            }
        } catch (InterruptedException neverThrown) {
            throw new AssertionError(neverThrown);
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking '" + lock.name() + "'");
        }
        if (!enteredAgain()) {
            entered(lock.acquire(Nanos.FOREVER, true));
        }
    }

    @Override
    public boolean tryLock() {
        return enteredAgain() || entered(lock.tryOnce());
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before locking '" + lock.name() + "'");
        }
        long nanos = Math.min(Nanos.FOREVER, Math.max(0, unit.toNanos(time)));
        return enteredAgain() || entered(lock.acquire(nanos, true));
    }

    @Override
    public void unlock() {
        ThreadHolds.Inside inside = holds.current(lock.name());
        if (inside == null) {
            throw new IllegalMonitorStateException("this thread does not hold lock '" + lock.name() + "'");
        }
        if (inside.leave() > 0) {
            inside.lease().ensureHeld();
        } else {
            holds.leave(lock.name());
            inside.lease().close();
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "a distributed lock has no conditions: they cannot be signalled between processes");
    }

    private boolean enteredAgain() {
        ThreadHolds.Inside inside = holds.current(lock.name());
        if (inside == null) {
            return false;
        }
        inside.lease().ensureHeld();
        inside.enter();
        return true;
    }

    private boolean entered(@Nullable LeaseHandle lease) {
        if (lease == null) {
            return false;
        }
        holds.enter(lock.name(), lease);
        return true;
    }
}
