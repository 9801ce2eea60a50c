// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.Dialects;
import io.mortise.lock.spi.StoreUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Opens connections by the driver of a URL, with defaults that end calls to a server which has gone without a word. What the
 * URL says counts. Thread-safe.
 */
public final class DriverConnections implements ConnectionOpener {
    /** Much longer than any statement of ours; where a server is silent for so long, the connection is lost. */
    private static final int SILENCE_SECONDS = 15;

    private static final Map<String, String> MILLISECONDS =
            Map.of("connectTimeout", SILENCE_SECONDS + "000", "socketTimeout", SILENCE_SECONDS + "000");

    private static final Map<String, Map<String, String>> DEFAULTS = Map.of(
            "jdbc:postgresql:",
            Map.of(
                    "connectTimeout",
                    "" + SILENCE_SECONDS,
                    "socketTimeout",
                    "" + SILENCE_SECONDS,
                    "tcpKeepAlive",
                    "true",
                    "ApplicationName",
                    "mortise"),
            "jdbc:mariadb:",
            MILLISECONDS,
            "jdbc:mysql:",
            MILLISECONDS);

    /** Drivers that take what stands there for a host, and quote it. */
    private static final Pattern USER_INFO =
            Pattern.compile("(?i)jdbc:(?:postgresql|mariadb):[^/]*//[^/?;]*@.*", Pattern.DOTALL);

    private final String url;
    private final Properties defaults = new Properties();

    /**
     * Opens none yet.
     *
     * @throws LockConfigurationException if the URL has a password where its driver looks for a host
     */
    public DriverConnections(String url) {
        if (USER_INFO.matcher(url).matches()) {
            throw new LockConfigurationException("the URL of a PostgreSQL or MariaDB database has no user and password"
                    + " before its host; write ?user=…&password=…");
        }
        this.url = url;
        String lowerCase = url.toLowerCase(Locale.ROOT);
        DEFAULTS.forEach((scheme, settings) -> settings.forEach((name, value) -> {
            if (lowerCase.startsWith(scheme) && !lowerCase.contains(name.toLowerCase(Locale.ROOT) + "=")) {
                defaults.setProperty(name, value);
            }
        }));
    }

    @Override
    public Connection open() throws SQLException {
        return DriverManager.getConnection(url, copyOfDefaults());
    }

    /** A file that was removed is made again. Asked before every call: one look at a file that is there. */
    @Override
    public Optional<Object> database() {
        return SqliteFile.key(url).or(() -> {
            SqliteFile.prepare(url);
            return SqliteFile.key(url);
        });
    }

    /** Drivers may change what they are given. */
    private Properties copyOfDefaults() {
        Properties copy = new Properties();
        copy.putAll(defaults);
        return copy;
    }

    /**
     * Makes sure that there is a driver.
     *
     * @throws LockConfigurationException if there is none, with what to add
     */
    public DriverConnections requireDriver(StoreUrl shown) {
        try {
            if (DriverManager.getDriver(url) != null) {
                return this;
            }
        } catch (SQLException none) {
            // told below
        }
        throw new LockConfigurationException(
                "no JDBC driver for " + shown + " is on the class path or module path; add " + artifact());
    }

    private String artifact() {
        return Dialects.ALL.stream()
                .filter(dialect -> url.startsWith("jdbc:" + dialect.product().toLowerCase(Locale.ROOT) + ":"))
                .map(Dialect::driver)
                .findFirst()
                .orElseGet(() -> "the driver of that database: "
                        + Dialects.ALL.stream()
                                .map(dialect -> dialect.driver() + " for " + dialect.product())
                                .collect(Collectors.joining(", ")));
    }
}
