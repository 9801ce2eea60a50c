// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.time.Duration;

/**
 * Receives the events of a client's locks, for metrics and logs: waits, grants, renewals, losses and releases. Every
 * method does nothing unless overridden.
 *
 * <p>One listener's events come one at a time, in order, on a thread of the client's; a slow or throwing listener does not hold
 * up locking. Up to eight listeners, those of leases included, run at once; the others wait. A listener must not block. If it
 * falls more than {@value #BACKLOG} events behind, events are dropped and a warning is logged.
 */
public interface LockListener {
    /** How many events may wait for one listener. */
    int BACKLOG = 10_000;

    /**
     * A lease was granted.
     *
     * @param event the lock and the lease
     */
    default void acquired(LockEvent event) {}

    /**
     * A call ended without the lock because others held it.
     *
     * @param event the lock and the call
     */
    default void timedOut(LockEvent event) {}

    /**
     * A call ended without the lock for another reason than that others held it. Not called for interrupts, for errors such as
     * {@link OutOfMemoryError}, and for futures that were completed from outside.
     *
     * @param event the lock and the call
     * @param failure what the caller got
     */
    default void failed(LockEvent event, LockException failure) {}

    /**
     * The store did not answer, and the caller goes on without the lock, as its {@link LockOptions#goOnWithoutAnswer()} says.
     *
     * @param event the lock and the call
     * @param failure what the caller would have got
     */
    default void wentOnWithoutLock(LockEvent event, LockStoreException failure) {}

    /**
     * A lease was renewed.
     *
     * @param event the lock and the lease
     * @param late how long after its due time the renewal was confirmed
     */
    default void renewed(LockEvent event, Duration late) {}

    /**
     * A renewal was not answered; it is tried again while the lease lasts.
     *
     * @param event the lock and the lease
     * @param remaining how long the lease still lasts
     */
    default void renewalUnanswered(LockEvent event, Duration remaining) {}

    /**
     * A lease is at risk: a third of it is left and no renewal was confirmed since.
     *
     * @param event the lock and the lease
     * @param remaining how long the lease still lasts
     */
    default void atRisk(LockEvent event, Duration remaining) {}

    /**
     * A lease was lost.
     *
     * @param event the lock and the lease
     * @param loss why
     */
    default void lost(LockEvent event, Loss loss) {}

    /**
     * A lease was released by its holder.
     *
     * @param event the lock and the lease
     */
    default void released(LockEvent event) {}
}
