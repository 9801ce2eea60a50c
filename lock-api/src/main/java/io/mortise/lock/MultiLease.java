// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The leases of a {@link MultiLock}, as one. Each is renewed by itself, and can be lost by itself; it counts as held while all
 * are. Belongs to whoever has the object, not to a thread. Thread-safe.
 *
 * <p>The leases are renewed until they are released, for as long as this object or one of them can be reached.
 */
public interface MultiLease extends AutoCloseable {
    /** {@return the leases, in the order of the names} Whoever releases one of them leaves the others held. */
    List<Lease> leases();

    /**
     * {@return the lease of one of the locks, such as for its fencing token}
     *
     * @param lockName the name of the lock
     * @throws IllegalArgumentException if it is none of the locks
     */
    Lease lease(String lockName);

    /** {@return whether all locks are held for certain at this moment} No I/O. Once false, false forever. */
    boolean isHeld();

    /** {@return how long all leases still last if no renewal comes through; zero if one is not held} No I/O. */
    Duration remaining();

    /**
     * Checks all leases before a step that needs the locks. No I/O.
     *
     * @throws LockLostException if one of the leases was lost
     * @throws IllegalStateException if one of them was released
     */
    void ensureHeld();

    /**
     * Registers what to do when one of the leases is lost, as {@link Lease#whenLost(BiConsumer)} does. Runs once, for the first;
     * runs at once if one is lost already. The others stay held until they are released.
     *
     * @param listener gets the lease that was lost and the reason
     * @return this
     */
    MultiLease whenLost(BiConsumer<Lease, Loss> listener);

    /**
     * Releases all locks, the last acquired first, as {@link Lease#release()} does: also after one of them has failed. Idempotent.
     *
     * @return true if all were held until now
     * @throws LockReleaseException if the store did not answer for one of them; those for others are suppressed. The release is
     *     tried again in the background, and the leases count as released
     */
    boolean release();

    /**
     * Releases all locks, as {@link #release()} does, and throws if one of them was lost before. Does nothing if the calling thread
     * has released or closed them already.
     *
     * @throws LockLostException if one of the leases was lost before; what was thrown for others is suppressed
     * @throws LockReleaseException if the store did not answer for one of them, and none was lost
     */
    @Override
    void close();
}
