// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;

/**
 * Receives the events of a client's locks, for metrics and logs: waits, grants, renewals, losses and releases. Every
 * method does nothing unless overridden.
 *
 * <p>One listener's events come one at a time, in order, on a thread of the client's; a slow or throwing listener holds
 * up neither locking nor other listeners. If it falls more than {@value #BACKLOG} events behind, events are dropped and a
 * warning is logged.
 */
public interface LockListener {
    /** How many events may wait for one listener. */
    int BACKLOG = 10_000;

    /**
     * A lease was granted.
     *
     * @param lockName the lock
     * @param waited from the call to the grant
     */
    default void acquired(String lockName, Duration waited) {}

    /**
     * A call ended without the lock because others held it.
     *
     * @param lockName the lock
     * @param waited how long the call took
     */
    default void timedOut(String lockName, Duration waited) {}

    /**
     * A call ended without the lock because the store did not answer.
     *
     * @param lockName the lock
     * @param waited how long the call took
     * @param failure what the caller got
     */
    default void failed(String lockName, Duration waited, LockException failure) {}

    /**
     * A lease was renewed.
     *
     * @param lockName the lock
     * @param late how long after its due time the renewal was confirmed
     */
    default void renewed(String lockName, Duration late) {}

    /**
     * A renewal was not answered; it is tried again while the lease lasts.
     *
     * @param lockName the lock
     * @param remaining how long the lease still lasts
     */
    default void renewalUnanswered(String lockName, Duration remaining) {}

    /**
     * A lease is at risk: a third of it is left and no renewal was confirmed since.
     *
     * @param lockName the lock
     * @param remaining how long the lease still lasts
     */
    default void atRisk(String lockName, Duration remaining) {}

    /**
     * A lease was lost.
     *
     * @param lockName the lock
     * @param held from the grant to the loss
     * @param loss why
     */
    default void lost(String lockName, Duration held, Loss loss) {}

    /**
     * A lease was released by its holder.
     *
     * @param lockName the lock
     * @param held from the grant to the release
     */
    default void released(String lockName, Duration held) {}
}
