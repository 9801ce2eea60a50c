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
    private static final String CLOCK_FREE = StoreUrl.OWN + "clockFree";
    private static final String DIALECT = StoreUrl.OWN + "dialect";

    /** For {@link java.util.ServiceLoader}. */
    public JdbcBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc");
    }

    @Override
    public Set<String> options() {
        return Set.of(TABLE, CREATE_SCHEMA, CLOCK_FREE, DIALECT);
    }

    @Override
    public LockBackend open(StoreUrl url) {
        Settings settings = settings(url);
        String driverUrl = H2Url.keeping(url.driverUrl());
        requireDriver(driverUrl, url);
        SqliteFile.prepare(driverUrl);
        Connections connections = new KeptConnections(() -> DriverManager.getConnection(driverUrl), settings.dialect());
        return JdbcBackend.connect(connections, settings, driverUrl);
    }

    private static Settings settings(StoreUrl url) {
        Settings settings = Settings.DEFAULT
                .withTable(url.option(TABLE).orElse(Schema.DEFAULT_TABLE))
                .withCreateSchema(yesOrNo(url, CREATE_SCHEMA, true))
                .withClockFree(yesOrNo(url, CLOCK_FREE, false));
        return url.option(DIALECT).map(settings::withDialect).orElse(settings);
    }

    private static boolean yesOrNo(StoreUrl url, String option, boolean unlessSet) {
        String text = url.option(option).orElse(String.valueOf(unlessSet));
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new LockConfigurationException(option + " is true or false, not '" + text + "'");
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
