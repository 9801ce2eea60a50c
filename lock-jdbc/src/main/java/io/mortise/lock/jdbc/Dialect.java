// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.SafetyLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * What differs between databases. To add one: its clock at statement time, one statement that takes a lock or inserts it
 * and tells the token, how an update tells a new value, and which errors mean "nothing was changed, try again". Its table
 * stands in {@code schema/NAME.sql}. Stateless.
 */
interface Dialect {
    /** How long one statement waits for another's lock before it starts again, if its time is not over. */
    int LOCK_WAIT_MILLIS = 250;

    /** The dialects there are. */
    List<Dialect> ALL = List.of(new SqliteDialect(), new H2Dialect());

    /** The product name that its driver tells. */
    String product();

    /** An expression: microseconds since 1970, when the statement or later its transaction began. */
    String now();

    /** How far {@link #now()} may lag behind the clock, in microseconds. */
    long clockStepMicros();

    /** The name of the function that gives the greatest of its arguments. */
    String greatest();

    /** The statement that inserts or takes a lock and returns its token, or no row if it is refused. */
    String acquire();

    /** An update that also returns columns of the changed row, with their new values. */
    String returning(String update, String columns);

    /** How many calls may run at once. */
    int callThreads();

    /** Makes a new connection of ours fit. */
    void prepare(Connection connection) throws SQLException;

    /**
     * Checks what must be so for locks to be safe.
     *
     * @throws LockConfigurationException if it is not
     */
    void check(Handle handle);

    /** Whether the statement failed without changing anything because another was in its way. */
    boolean isInTheWay(SQLException failure);

    /** What a database forgets only when this fails. */
    SafetyLevel safetyLevel(Handle handle);

    /** The leases that are safe. */
    LeaseBounds leaseBounds(String url);

    /** The resource with the statements that make the table. */
    default String schema() {
        return "schema/" + product().toLowerCase(Locale.ROOT) + ".sql";
    }

    /**
     * The dialect of a connection's database.
     *
     * @throws LockConfigurationException if there is none
     */
    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return ALL.stream()
                .filter(dialect -> dialect.product().equalsIgnoreCase(product))
                .findFirst()
                .orElseThrow(() -> new LockConfigurationException("there is no dialect for the database '" + product
                        + "'; known are "
                        + ALL.stream().map(Dialect::product).collect(Collectors.joining(", "))
                        + ". A dialect needs a clock in microseconds at statement time, one statement that takes or"
                        + " inserts a lock and returns its token, and a schema"));
    }
}
