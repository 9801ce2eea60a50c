// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock that implements {@link Lock}: the thread that locked it owns it and may lock it again, as with
 * {@link java.util.concurrent.locks.ReentrantLock}. All views of one name from one {@link LockClient} are the same
 * lock, and equal. Thread-safe.
 *
 * <p>Re-entering costs no I/O and keeps the fencing token. If the lease is lost while the thread is inside, entering
 * again and every {@link #unlock()} throw {@link LockLostException}; the count is kept all the same, and the thread is
 * outside after as many unlocks as locks, or after {@link #leaveIfLost()}. If the owning thread ends without unlocking, the
 * lease is no longer renewed.
 *
 * <p>A thread that has entered {@link Integer#MAX_VALUE} times gets an {@link Error} when it enters again.
 */
public interface DistributedReentrantLock extends Lock {
    /** {@return the lease that the calling thread holds through this view, for its token; empty if it is not inside} */
    Optional<Lease> lease();

    /**
     * Leaves completely if the lease was lost while the calling thread was inside: it is outside then, and may lock again. For code
     * that cannot unlock as often as it has locked.
     *
     * @return true if the thread was inside a lost lease and is outside now; false if nothing was changed
     */
    boolean leaveIfLost();

    /** {@return how often the calling thread has locked without unlocking; 0 if it is not inside} */
    int holdCount();

    /**
     * Waits for the lock, without limit and uninterruptibly; an interrupt flag is kept and set on return.
     *
     * @throws LockStoreException if the store gave no answer at all for one lease
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockLostException if the calling thread is inside and its lease was lost
     * @throws IllegalStateException if the calling thread is inside and its lease was released through {@link #lease()}
     * @throws LockClosedException if the client is closed
     */
    @Override
    void lock();

    /**
     * Waits for the lock, without limit.
     *
     * @throws InterruptedException if the calling thread is interrupted before or while it waits
     * @throws LockStoreException if the store gave no answer at all for one lease
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockLostException if the calling thread is inside and its lease was lost
     * @throws IllegalStateException if the calling thread is inside and its lease was released through {@link #lease()}
     * @throws LockClosedException if the client is closed
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Takes the lock if it is free now, without waiting for others. Ignores interrupts and keeps the flag. A store that answers is
     * asked once. Without an answer it is asked again for one call time-out: up to ten times. Blocks for at most 0.4 s more than
     * that.
     *
     * @return true if the calling thread is inside, false if others hold the lock
     * @throws LockStoreException if the store did not answer within one call time-out
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockLostException if the calling thread is inside and its lease was lost
     * @throws IllegalStateException if the calling thread is inside and its lease was released through {@link #lease()}
     * @throws LockClosedException if the client is closed
     */
    @Override
    boolean tryLock();

    /**
     * Waits for the lock for a limited time. May return up to 0.4 s after it; behind another caller of this client that gets no
     * answer, up to one call time-out after it.
     *
     * @param time at most how long to wait for others; 0 or less as {@link #tryLock()}, but interruptible
     * @param unit the unit of {@code time}
     * @return true if the calling thread is inside, false if others still held the lock at the end
     * @throws InterruptedException if the calling thread is interrupted before or while it waits
     * @throws LockStoreException if the store did not answer the last try
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockLostException if the calling thread is inside and its lease was lost
     * @throws IllegalStateException if the calling thread is inside and its lease was released through {@link #lease()}
     * @throws LockClosedException if the client is closed
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Leaves once; the last time releases the lock and blocks as {@link Lease#release()} does, for at most one call time-out and
     * 0.1 s. Ignores interrupts and keeps the flag.
     *
     * @throws IllegalMonitorStateException if the calling thread is not inside
     * @throws LockLostException if the lease was lost; the thread has left once all the same
     * @throws LockReleaseException if the store did not answer the release; the thread has left all the same
     * @throws IllegalStateException if the lease was released through {@link #lease()}; the thread has left once all the same
     */
    @Override
    void unlock();

    /**
     * Not supported: a condition cannot be signalled between processes.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
