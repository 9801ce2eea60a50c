// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.SafetyLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * What differs between databases. To add one: its clock at statement time, how a lock is acquired, what a guard reads, and which
 * errors mean "nothing was changed, try again". Its tables stand in {@code schema/NAME.sql}. Stateless.
 */
public interface Dialect {
    /** How long one statement waits for another's lock before it starts again, if its time is not over. */
    int LOCK_WAIT_MILLIS = 250;

    /** How long a try waits: a record of a grant that stays locked is a guard's, and the lock is busy. */
    int TRY_WAIT_MILLIS = 50;

    /** The product name that its driver tells. */
    String product();

    /** What to add to the class path where its driver is missing. */
    String driver();

    /** Writes what is in braces in this database's way; {@code {now}} is in microseconds since 1970. */
    String fill(String template);

    /** How far the clock may lag, in microseconds: the length of its step. */
    long clockStepMicros();

    /**
     * One statement that inserts or takes the lock, records the grant, and returns its first token; empty where no statement
     * can return what it wrote.
     */
    Optional<String> acquire();

    /** An update that frees a lock, and tells those who wait if the database can. */
    default String releasing(String update, String table) {
        return update;
    }

    /** A query or update for one key and one token that keeps others from being granted the lock until it is committed. */
    String guard();

    /** Whether grants are recorded in a table of their own, for guards to lock. */
    default boolean recordsGrants() {
        return true;
    }

    /** The channel that tells of releases in a table; empty if sessions like this one cannot listen. */
    default Optional<String> notificationChannel(Handle handle, String table) throws SQLException {
        return Optional.empty();
    }

    /** How many calls may run at once. */
    int callThreads();

    /** Makes a new connection of ours fit. */
    void prepare(Connection connection) throws SQLException;

    /**
     * Checks what must be so for locks to be safe.
     *
     * @throws LockConfigurationException if it is not
     */
    default void check(Handle handle) {}

    /** Whether the statement failed without changing anything because another was in its way. */
    boolean isInTheWay(SQLException failure);

    /** What a database forgets only when this fails. */
    SafetyLevel safetyLevel(Handle handle);

    /** The leases that are safe. */
    default LeaseBounds leaseBounds(String url) {
        return LeaseBounds.WIDEST;
    }

    /** The resource with the statements that make the tables. */
    default String schema() {
        return "schema/" + product().toLowerCase(Locale.ROOT) + ".sql";
    }
}
