// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.jdbc.connection.CachedConnections;
import io.mortise.lock.jdbc.connection.ConnectionOpener;
import io.mortise.lock.jdbc.connection.DriverConnections;
import io.mortise.lock.jdbc.shedlock.ShedLockBackend;
import io.mortise.lock.jdbc.sql.Schema;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.DurationText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Opens {@code jdbc:} URLs: {@code jdbc:postgresql:…}, {@code jdbc:mariadb:…}, {@code jdbc:mysql:…}, {@code jdbc:h2:…},
 * {@code jdbc:sqlite:FILE}. The driver must be on the class path or module path. Options: {@code mortise.table},
 * {@code mortise.createSchema}, {@code mortise.clockFree}, {@code mortise.notifications}, {@code mortise.dialect} and
 * {@code mortise.connectTimeout}, as in {@link JdbcBackendBuilder}; {@code mortise.privateFile}, whether to refuse a SQLite
 * file that other users can write or replace; {@code mortise.format=shedlock}, for locks in the table {@code shedlock} of PostgreSQL, which
 * clients of ShedLock share.
 * Thread-safe.
 */
public final class JdbcBackendProvider implements LockBackendProvider {
    private static final String TABLE = StoreUrl.OPTION_PREFIX + "table";
    private static final String CREATE_SCHEMA = StoreUrl.OPTION_PREFIX + "createSchema";
    private static final String CLOCK_FREE = StoreUrl.OPTION_PREFIX + "clockFree";
    private static final String NOTIFICATIONS = StoreUrl.OPTION_PREFIX + "notifications";
    private static final String CONNECT_TIMEOUT = StoreUrl.OPTION_PREFIX + "connectTimeout";
    private static final String PRIVATE_FILE = StoreUrl.OPTION_PREFIX + "privateFile";
    private static final String FORMAT = StoreUrl.OPTION_PREFIX + "format";
    private static final String DIALECT = StoreUrl.OPTION_PREFIX + "dialect";

    /** For {@link java.util.ServiceLoader}. */
    public JdbcBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc");
    }

    @Override
    public Set<String> options() {
        return Set.of(TABLE, CREATE_SCHEMA, CLOCK_FREE, NOTIFICATIONS, DIALECT, CONNECT_TIMEOUT, PRIVATE_FILE, FORMAT);
    }

    @Override
    public LockBackend open(StoreUrl url) {
        boolean shedLock = isOfShedLock(url);
        TableSettings settings = settings(url, shedLock ? "shedlock" : Schema.DEFAULT_TABLE);
        DriverConnections driver = DriverConnections.of(url, settings, yesOrNo(url, PRIVATE_FILE, false));
        if (shedLock) {
            return ShedLockBackend.connect(new CachedConnections(driver, settings), settings);
        }
        if (driver.isSqlite()) {
            SqliteWarmUp.once();
        }
        Optional<ConnectionOpener> listening =
                yesOrNo(url, NOTIFICATIONS, true) ? Optional.of(driver.forListening()) : Optional.empty();
        return JdbcBackend.connect(new CachedConnections(driver, settings), settings, listening, driver.url());
    }

    private static boolean isOfShedLock(StoreUrl url) {
        String format = url.option(FORMAT).orElse("mortise");
        return switch (format) {
            case "mortise" -> false;
            case "shedlock" -> {
                refuseWhatShedLockHasNot(url);
                yield true;
            }
            default -> throw new LockConfigurationException(FORMAT + " is mortise or shedlock, not '" + format + "'");
        };
    }

    private static void refuseWhatShedLockHasNot(StoreUrl url) {
        for (String option : List.of(CLOCK_FREE, NOTIFICATIONS, PRIVATE_FILE)) {
            if (url.option(option).isPresent()) {
                throw new LockConfigurationException(
                        "the option " + option + " does not go with " + FORMAT + "=shedlock");
            }
        }
    }

    private static TableSettings settings(StoreUrl url, String table) {
        TableSettings settings = TableSettings.DEFAULT
                .withTable(url.option(TABLE).orElse(table))
                .withCreateSchema(yesOrNo(url, CREATE_SCHEMA, true))
                .withClockFree(yesOrNo(url, CLOCK_FREE, false))
                .withConnectTimeout(url.option(CONNECT_TIMEOUT)
                        .map(DurationText::parse)
                        .orElse(TableSettings.DEFAULT.connectTimeout()));
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
}
