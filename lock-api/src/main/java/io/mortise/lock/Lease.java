// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A granted lock: its holder has the lock exclusively until the holder releases it or the lease expires. The lease belongs to
 * whoever has the object, not to a thread: another thread than the one that acquired it may release it. Thread-safe.
 *
 * <p>Unless renewal is {@linkplain LockOptions#renewal(boolean) off}, the lease is renewed in the background until it is
 * released, for as long as this object can be reached; a lease whose object was dropped ends by itself.
 */
public interface Lease extends AutoCloseable {
    /** {@return the name of the lock, as it was asked for} */
    String lockName();

    /**
     * The fencing token of this grant: greater than those of all grants of this name before it. Send it with every write
     * to what the lock protects, and let that side refuse a lower token. Stays the same for the life of the object, after
     * loss too. No I/O.
     *
     * @return a positive number
     * @throws UnsupportedOperationException if the store is not {@link io.mortise.lock.spi.Feature#FENCED}
     */
    long fencingToken();

    /** {@return whether the lock is held for certain at this moment} No I/O. Once false, false forever. */
    boolean isHeld();

    /** {@return how long the lease still lasts if no renewal comes through; zero if it is not held} No I/O. */
    Duration remaining();

    /**
     * Checks the lease before a step that needs the lock. No I/O.
     *
     * @throws LockLostException if the lease was lost
     * @throws IllegalStateException if the lease was released
     */
    void ensureHeld();

    /**
     * Makes sure that this lease ends in the store: when it is released, no other waiter of this client gets the lock before
     * the store grants it. For code that ties a transaction of the store to the lease. Checks the lease as
     * {@link #ensureHeld()} does; cannot be undone. No I/O.
     *
     * @throws LockLostException if the lease was lost
     * @throws IllegalStateException if the lease was released, and so perhaps handed over already
     */
    void forbidHandOver();

    /**
     * Registers what to do when the lease is at risk: a third of it is left and no renewal was confirmed since.
     * Runs once each time the lease comes to be at risk, on a thread of the client's, in parallel with other listeners;
     * runs at once if the lease is at risk now. Exceptions are logged.
     *
     * @param listener gets how long the lease still lasts
     * @return this
     */
    Lease onAtRisk(Consumer<Duration> listener);

    /**
     * Registers what to do when the lease is lost. Runs exactly once, no later than the lease ends, on a thread of the
     * client's, in parallel with other listeners; runs at once if the lease is lost already; never runs for a lease that
     * was released before. May release the lease. Exceptions are logged.
     *
     * @param listener gets the reason
     * @return this
     */
    Lease onLost(Consumer<Loss> listener);

    /**
     * Releases the lock and returns whether it was held until then. Blocks for at most the client's call time-out.
     * Ignores interrupts and keeps the flag. Idempotent: later calls return the same and do nothing.
     *
     * @return true if the lock was held until now, false if it was lost before
     * @throws LockStoreException if the store did not answer; the release is tried again in the background until the
     *     lease has ended, and the lease counts as released. Later calls throw the same
     */
    boolean release();

    /**
     * Releases the lock, as {@link #release()} does, and throws if it was lost before. Only the first
     * call does anything.
     *
     * @throws LockLostException if the lease was lost before
     * @throws LockStoreException if the store did not answer; see {@link #release()}
     */
    @Override
    void close();
}
