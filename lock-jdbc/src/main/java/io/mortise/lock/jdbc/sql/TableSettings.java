// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a client and its table: its name, whether to create it, how leases expire, the dialect, and how long
 * connecting may take. Immutable.
 *
 * @param table the table of the locks
 * @param createSchema whether to make the tables if they are missing
 * @param expiry how the end of a lease is decided
 * @param dialect the dialect to use, whatever the database calls itself
 * @param connectTimeout how long opening the store may take, and each attempt of the driver to connect; positive
 */
public record TableSettings(
        String table, boolean createSchema, ExpiryMode expiry, Optional<Dialect> dialect, Duration connectTimeout) {
    public static final TableSettings DEFAULT = new TableSettings(
            Schema.DEFAULT_TABLE, true, ExpiryMode.BY_CLOCK, Optional.empty(), Duration.ofSeconds(15));

    public TableSettings withTable(String name) {
        return new TableSettings(TablePlace.checkedName(name), createSchema, expiry, dialect, connectTimeout);
    }

    public TableSettings withCreateSchema(boolean create) {
        return new TableSettings(table, create, expiry, dialect, connectTimeout);
    }

    public TableSettings withClockFree(boolean free) {
        return new TableSettings(
                table, createSchema, free ? ExpiryMode.BY_WATCHING : ExpiryMode.BY_CLOCK, dialect, connectTimeout);
    }

    public TableSettings withDialect(String name) {
        return new TableSettings(table, createSchema, expiry, Optional.of(Dialects.named(name)), connectTimeout);
    }

    public TableSettings withConnectTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new LockConfigurationException("the time to connect must be positive, not " + timeout);
        }
        return new TableSettings(table, createSchema, expiry, dialect, timeout);
    }
}
