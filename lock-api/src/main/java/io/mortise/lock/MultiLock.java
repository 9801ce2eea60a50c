// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Several locks of one client, which a caller acquires together or not at all. {@link LockClient#multiLock} makes it; it costs
 * nothing until it is used and needs no closing. Thread-safe. Not re-entrant.
 *
 * <p>The locks are acquired one after the other, in the order of their names as {@link String#compareTo} has it, which is the same
 * in all clients. So callers do not wait for each other in a circle, if none of them holds another lock when it calls. While a
 * caller waits for one lock, it holds those before it. If it loses one of them meanwhile, it gives all back and begins anew, as long
 * as there is time.
 *
 * <p>Whatever ends a call without the locks, those that it has acquired are given back before it ends. This blocks for at most the
 * client's call time-out for each. A caller never goes on without an answer of the store:
 * {@link LockOptions#goOnWithoutAnswer()} has no effect here.
 */
public interface MultiLock {
    /** {@return the names of the locks, each once, in the order in which they are acquired} */
    List<String> names();

    /**
     * Waits for all locks, for as long as {@link LockOptions#maxWait()} allows for all together, by default without limit.
     *
     * @return the leases; close them
     * @throws InterruptedException if the calling thread is interrupted before or while it waits; it holds none of the locks then
     * @throws LockTimeoutException if the options limit the wait and others still held one of the locks at the end
     * @throws LockStoreException if the store did not answer the last try of a limited wait, gave no answer at all for one lease,
     *     or one of the locks was lost while the last was acquired and there is no time to begin anew
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockClosedException if the client is closed
     */
    MultiLease acquire() throws InterruptedException;

    /**
     * Takes all locks if they are free now, without waiting for others. Ignores interrupts; the flag is kept. Asks for each lock as
     * {@link DistributedLock#tryAcquire()} does.
     *
     * @return the leases, or empty if others hold one of the locks
     * @throws LockStoreException if the store did not answer for one of the locks within one call time-out, or one was lost before
     *     the last was acquired
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockClosedException if the client is closed
     */
    Optional<MultiLease> tryAcquire();

    /**
     * Waits for all locks for a limited time. May return later than {@code wait} as {@link DistributedLock#tryAcquire(Duration)}
     * does.
     *
     * @param wait at most how long to wait for others, for all locks together; zero as {@link #tryAcquire()}, but interruptible
     * @return the leases, or empty if others still held one of the locks at the end
     * @throws InterruptedException if the calling thread is interrupted before or while it waits; it holds none of the locks then
     * @throws LockStoreException if the store did not answer the last try, or one of the locks was lost while the last was acquired
     *     and there is no time to begin anew
     * @throws LockConfigurationException if the store refuses for good, such as for want of a permission
     * @throws LockClosedException if the client is closed
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException;
}
