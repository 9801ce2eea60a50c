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
        this(url, TableSettings.DEFAULT.connectTimeout());
    }

    /**
     * Opens none yet.
     *
     * @param connectTimeout how long one attempt to connect may take, positive
     * @throws LockConfigurationException if locks cannot work with that URL
     */
    private DriverConnections(String url, Duration connectTimeout) {
        Optional<Dialect> dialect = Dialects.ofUrl(url);
        this.url = dialect.map(known -> known.driverUrl(url)).orElse(url);
        file = SqliteFile.of(url);
        String lowerCase = url.toLowerCase(Locale.ROOT);
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
     * Reads the URL of a store. Makes its file if that is missing, but opens no connection yet.
     *
     * @throws LockConfigurationException if locks cannot work with that URL, or it has no driver, with what to add
     */
    public static DriverConnections of(StoreUrl url, Duration connectTimeout) {
        DriverConnections connections = new DriverConnections(url.driverUrl(), connectTimeout);
        if (!connections.haveDriver()) {
            throw new LockConfigurationException("no JDBC driver for " + url
                    + " is on the class path or module path; add " + artifact(url.driverUrl()));
        }
        connections.file.ifPresent(SqliteFile::make);
        return connections;
    }

    /** The URL for the driver. */
    public String url() {
        return url;
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
        return DriverManager.getConnection(url, (Properties) properties.clone()); // drivers may change what they get
    }

    /** A file that was removed is made again. Asked before every call: one look at a file that is there. */
    @Override
    public Optional<Object> database() {
        return file.flatMap(known -> known.key().or(() -> {
            known.make();
            return known.key();
        }));
    }

    private boolean haveDriver() {
        Dialects.ofUrl(url).ifPresent(DriverConnections::register);
        try {
            return DriverManager.getDriver(url) != null;
        } catch (SQLException none) {
            return false;
        }
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
