// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.util.Optional;

/**
 * What a backend is asked to be. Immutable.
 *
 * @param table the table of the locks
 * @param createSchema whether to make the tables if they are missing
 * @param ends who tells that a lease has ended
 * @param dialect the dialect to use, whatever the database calls itself
 * @param listening where to get a connection that may be kept for notifications
 */
record Settings(
        String table,
        boolean createSchema,
        LeaseEnds ends,
        Optional<Dialect> dialect,
        Optional<ConnectionOpener> listening) {
    static final Settings DEFAULT =
            new Settings(Schema.DEFAULT_TABLE, true, LeaseEnds.BY_CLOCK, Optional.empty(), Optional.empty());

    Settings withTable(String name) {
        return new Settings(Schema.checkedName(name), createSchema, ends, dialect, listening);
    }

    Settings withCreateSchema(boolean create) {
        return new Settings(table, create, ends, dialect, listening);
    }

    Settings withClockFree(boolean free) {
        return new Settings(table, createSchema, free ? LeaseEnds.BY_WATCHING : LeaseEnds.BY_CLOCK, dialect, listening);
    }

    Settings withDialect(String name) {
        return new Settings(table, createSchema, ends, Optional.of(Dialects.named(name)), listening);
    }

    Settings withListening(ConnectionOpener opener) {
        return new Settings(table, createSchema, ends, dialect, Optional.of(opener));
    }
}
