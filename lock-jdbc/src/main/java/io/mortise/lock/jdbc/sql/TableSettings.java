// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.util.Optional;

/**
 * The settings of a client's table: its name, whether to create it, how leases expire, and the dialect. Immutable.
 *
 * @param table the table of the locks
 * @param createSchema whether to make the tables if they are missing
 * @param expiry how the end of a lease is decided
 * @param dialect the dialect to use, whatever the database calls itself
 */
public record TableSettings(String table, boolean createSchema, ExpiryMode expiry, Optional<Dialect> dialect) {
    public static final TableSettings DEFAULT =
            new TableSettings(Schema.DEFAULT_TABLE, true, ExpiryMode.BY_CLOCK, Optional.empty());

    public TableSettings withTable(String name) {
        return new TableSettings(TablePlace.checkedName(name), createSchema, expiry, dialect);
    }

    public TableSettings withCreateSchema(boolean create) {
        return new TableSettings(table, create, expiry, dialect);
    }

    public TableSettings withClockFree(boolean free) {
        return new TableSettings(table, createSchema, free ? ExpiryMode.BY_WATCHING : ExpiryMode.BY_CLOCK, dialect);
    }

    public TableSettings withDialect(String name) {
        return new TableSettings(table, createSchema, expiry, Optional.of(Dialects.named(name)));
    }
}
