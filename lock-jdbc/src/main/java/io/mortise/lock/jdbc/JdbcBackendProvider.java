// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;

/**
 * Opens {@code jdbc:} URLs: {@code jdbc:sqlite:FILE}, {@code jdbc:h2:…}. The driver must be on the class path or module
 * path. Options: {@code mortise.table} and {@code mortise.createSchema}, as in {@link JdbcBackendBuilder}. Thread-safe.
 */
public final class JdbcBackendProvider implements LockBackendProvider {
    private static final String TABLE = StoreUrl.OWN + "table";
    private static final String CREATE_SCHEMA = StoreUrl.OWN + "createSchema";

    /** For {@link java.util.ServiceLoader}. */
    public JdbcBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc");
    }

    @Override
    public Set<String> options() {
        return Set.of(TABLE, CREATE_SCHEMA);
    }

    @Override
    public LockBackend open(StoreUrl url) {
        String table = Schema.checkedName(url.option(TABLE).orElse(Schema.DEFAULT_TABLE));
        boolean createSchema =
                url.option(CREATE_SCHEMA).map(JdbcBackendProvider::yesOrNo).orElse(true);
        String driverUrl = H2Url.keeping(url.driverUrl());
        requireDriver(driverUrl, url);
        SqliteFile.prepare(driverUrl);
        Connections connections = new KeptConnections(() -> DriverManager.getConnection(driverUrl));
        return JdbcBackend.connect(connections, table, createSchema, driverUrl);
    }

    private static boolean yesOrNo(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new LockConfigurationException(CREATE_SCHEMA + " is true or false, not '" + text + "'");
        };
    }

    private static void requireDriver(String driverUrl, StoreUrl shown) {
        try {
            Driver driver = DriverManager.getDriver(driverUrl);
            if (driver == null) {
                throw new SQLException("no driver");
            }
        } catch (SQLException none) {
            throw new LockConfigurationException("no JDBC driver for " + shown
                    + " is on the class path or module path; for SQLite it is org.xerial:sqlite-jdbc, for H2"
                    + " com.h2database:h2");
        }
    }
}
