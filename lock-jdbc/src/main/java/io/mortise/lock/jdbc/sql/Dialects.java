// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the {@link Dialect} of a connection, a URL or a name: SQLite, H2, PostgreSQL, MariaDB or MySQL. */
public final class Dialects {
    public static final List<Dialect> ALL = List.of(
            new SqliteDialect(), new H2Dialect(), new PostgresDialect(), MariaDbDialect.MARIADB, MariaDbDialect.MYSQL);

    private Dialects() {}

    /**
     * The dialect of a connection's database.
     *
     * @param chosen the dialect to use, whatever the database calls itself
     * @throws LockConfigurationException if there is none
     */
    public static Dialect of(Connection connection, Optional<Dialect> chosen) throws SQLException {
        if (chosen.isPresent()) {
            return chosen.get();
        }
        String product = connection.getMetaData().getDatabaseProductName();
        return find(product)
                .orElseThrow(() -> new LockConfigurationException("there is no dialect for the database '" + product
                        + "'; known are " + names() + ". If it has the same SQL as one of them, name that one with"
                        + " mortise.dialect. A dialect of its own needs a clock in microseconds at statement time, a"
                        + " statement that takes or inserts a lock and tells its token, a locking read, and a schema"));
    }

    /**
     * The dialect of that name.
     *
     * @throws LockConfigurationException if there is none
     */
    public static Dialect named(String name) {
        return find(name)
                .orElseThrow(() -> new LockConfigurationException(
                        "there is no dialect '" + name + "' for mortise.dialect; known are " + names()));
    }

    /** The dialect of a URL's driver, if it is one of ours. */
    public static Optional<Dialect> ofUrl(String url) {
        String[] parts = url.split(":", 3);
        return parts.length == 3 && parts[0].equalsIgnoreCase("jdbc") ? find(parts[1]) : Optional.empty();
    }

    private static Optional<Dialect> find(String product) {
        return ALL.stream()
                .filter(dialect -> dialect.product().equalsIgnoreCase(product))
                .findFirst();
    }

    private static String names() {
        return ALL.stream().map(Dialect::product).collect(Collectors.joining(", "));
    }
}
