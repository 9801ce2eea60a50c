// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.notification;

import java.time.Duration;

/**
 * Notifies waiters that a lock was released, if the database can, as PostgreSQL can with {@code LISTEN} and
 * {@code NOTIFY}. Thread-safe.
 */
public interface Notifications extends AutoCloseable {
    /** None. */
    Notifications NONE = new Notifications() {
        @Override
        public boolean arePossible() {
            return false;
        }

        @Override
        public boolean subscribe(Waiter waiter) {
            return false;
        }

        @Override
        public void unsubscribe(Waiter waiter) {}

        @Override
        public boolean areOn() {
            return false;
        }

        @Override
        public Duration safetyPoll() {
            return Duration.ZERO;
        }

        @Override
        public void close() {}
    };

    /** Whether there are any at all. */
    boolean arePossible();

    /**
     * Nudges a waiter from now on whenever it is worth looking again, at the latest when notifications begin.
     *
     * @return whether notifications are on already, so that what was released before now was perhaps not told
     */
    boolean subscribe(Waiter waiter);

    /** Ends {@link #subscribe}. Harmless if repeated. */
    void unsubscribe(Waiter waiter);

    /** Whether they arrive at the moment. */
    boolean areOn();

    /** After how long a waiter looks again although nothing was told, while they are on. */
    Duration safetyPoll();

    @Override
    void close();
}
