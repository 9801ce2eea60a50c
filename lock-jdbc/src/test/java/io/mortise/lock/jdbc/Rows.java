// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The table of the locks, seen and changed behind the backend's back. */
final class Rows implements AutoCloseable {
    private final Handle handle;
    private final boolean recordsGrants;

    Rows(String url) {
        recordsGrants = !url.startsWith("jdbc:sqlite:");
        handle = Jdbi.create(() -> open(url)).open();
    }

    private static Connection open(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        if (url.startsWith("jdbc:sqlite:")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("pragma busy_timeout = 5000");
            }
        }
        return connection;
    }

    /** On a server that was used before, back to where nobody has connected yet. */
    static void dropTables(String url) {
        try (Rows rows = new Rows(url)) {
            for (String table : List.of("mortise_locks", "mortise_locks_grants", "mortise_locks_queue")) {
                rows.execute("drop table if exists " + table);
            }
        }
    }

    int execute(String sql) {
        return handle.execute(sql);
    }

    long number(String sql) {
        return handle.createQuery(sql).mapTo(Long.class).one();
    }

    /** Rows of names, without the table's own. */
    long names() {
        return number("select count(*) from mortise_locks where lock_key <> '~'");
    }

    /** As if the lease of every lock had ended a moment ago. */
    void expireAll() {
        execute("update mortise_locks set expires_us = acquired_us where owner is not null");
    }

    /** As if everything in the table had happened so much earlier. */
    void age(long micros) {
        execute("update mortise_locks set expires_us = expires_us - " + micros + ", counter = counter - " + micros
                + ", fence = fence - " + micros + ", acquired_us = acquired_us - " + micros + " where lock_key <> '~'");
        if (recordsGrants) {
            execute("update mortise_locks_grants set fence = fence - " + micros);
        }
    }

    Handle handle() {
        return handle;
    }

    @Override
    public void close() {
        handle.close();
    }
}
