// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.Dialects;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.StoreUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Opens connections through the JDBC driver of a URL, with the settings and defaults of its dialect. What the URL says
 * counts. Thread-safe.
 */
public final class DriverConnections implements ConnectionOpener {
    private final String url;
    private final Properties defaults = new Properties();
    private final Properties listenerDefaults;
    private final Optional<SqliteFile> file;

    /** As with the default of the settings. */
    public DriverConnections(String url) {
        this(url, TableSettings.DEFAULT, false);
    }

    /**
     * Opens none yet.
     *
     * @throws LockConfigurationException if locks cannot work with that URL
     */
    private DriverConnections(String url, TableSettings settings, boolean privateFile) {
        Optional<Dialect> dialect = Dialects.ofUrl(url);
        this.url = dialect.map(known -> known.driverUrl(url))
                .map(known -> settings.createSchema() ? known : dialect.get().existingOnly(known))
                .orElse(url);
        file = SqliteFile.of(url, settings.createSchema(), privateFile);
        Duration connectTimeout = settings.connectTimeout();
        String lowerCase = url.toLowerCase(Locale.ROOT);
        dialect.ifPresent(known -> defaults.putAll(known.secretOptions(url)));
        dialect.ifPresent(known -> addMissing(defaults, known.driverDefaults(connectTimeout), lowerCase));
        listenerDefaults = (Properties) defaults.clone();
        dialect.ifPresent(known -> addMissing(listenerDefaults, known.listenerDefaults(), lowerCase));
    }

    private static void addMissing(Properties properties, Map<String, String> more, String url) {
        more.forEach((name, value) -> {
            if (!url.contains(name.toLowerCase(Locale.ROOT) + "=")) {
                properties.setProperty(name, value);
            }
        });
    }

    /**
     * Reads the URL of a store. Opens no file and no connection yet.
     *
     * @param privateFile whether to refuse a SQLite file that others can write or replace
     * @throws LockConfigurationException if locks cannot work with that URL, or it has no driver, with what to add
     */
    public static DriverConnections of(StoreUrl url, TableSettings settings, boolean privateFile) {
        DriverConnections connections = new DriverConnections(url.driverUrl(), settings, privateFile);
        if (!haveDriver(connections.url) || !canRead(connections.url)) {
            throw withoutDriver(url);
        }
        url.password().ifPresent(connections::setPassword);
        connections.file.ifPresent(SqliteFile::warnIfRelative);
        return connections;
    }

    /** The URL for the driver. */
    public String url() {
        return url;
    }

    /** Whether the database is a file of SQLite. */
    public boolean isSqlite() {
        return file.isPresent();
    }

    @Override
    public Connection open() throws SQLException {
        return open(defaults);
    }

    /** Opens connections that listen for notifications. */
    public ConnectionOpener forListening() {
        return () -> {
            try {
                return open(listenerDefaults);
            } catch (SQLException failure) {
                if (failure.getCause() instanceof ReflectiveOperationException) {
                    return open(defaults); // the driver's class loader does not see our classes
                }
                throw failure;
            }
        };
    }

    private Connection open(Properties properties) throws SQLException {
        file.ifPresent(SqliteFile::check);
        return DriverManager.getConnection(url, (Properties) properties.clone()); // drivers may change what they get
    }

    /** A file that is missing, perhaps because it was removed, is made. Asked before every call: one look at a file that is there. */
    @Override
    public Optional<Object> database() {
        return file.flatMap(known -> known.key().or(() -> {
            known.makeIfMissing();
            return known.key();
        }));
    }

    private void setPassword(String password) {
        defaults.setProperty("password", password);
        listenerDefaults.setProperty("password", password);
    }

    private static boolean haveDriver(String url) {
        Dialects.ofUrl(url).ifPresent(DriverConnections::register);
        try {
            return DriverManager.getDriver(url) != null;
        } catch (SQLException none) {
            return false;
        }
    }

    private static boolean canRead(String url) {
        return Dialects.ofUrl(url).map(dialect -> dialect.canRead(url)).orElse(true);
    }

    private static LockConfigurationException withoutDriver(StoreUrl url) {
        Optional<Dialect> dialect = Dialects.ofUrl(url.driverUrl());
        if (dialect.isPresent() && haveDriver(dialect.get().plainUrl())) {
            return new LockConfigurationException(
                    "the JDBC driver of " + dialect.get().product() + " cannot read the URL " + url
                            + "; in a name or a password, write / as %2F, @ as %40, ? as %3F, # as %23 and & as %26");
        }
        return new LockConfigurationException(
                "no JDBC driver for " + url + " is on the class path or module path; add " + artifact(url.driverUrl()));
    }

    /** Has the driver register itself: the command's jar has no list of drivers, which would load all of them. */
    private static void register(Dialect dialect) {
        try {
            Class.forName(dialect.driverClass());
        } catch (ClassNotFoundException perhapsAnotherKnowsTheUrl) {
            // The caller asks for any driver that does.
        }
    }

    private static String artifact(String url) {
        return Dialects.ofUrl(url)
                .map(Dialect::driver)
                .orElseGet(() -> "the driver of that database: "
                        + Dialects.ALL.stream()
                                .map(dialect -> dialect.driver() + " for " + dialect.product())
                                .collect(Collectors.joining(", ")));
    }
}
