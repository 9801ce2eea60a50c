// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.log;

import java.util.Map;
import net.spy.memcached.compat.log.AbstractLogger;
import net.spy.memcached.compat.log.Level;
import net.spy.memcached.compat.log.LoggerFactory;
import net.spy.memcached.compat.log.SunLogger;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the log messages of spymemcached to {@link System.Logger} at lower levels, because spymemcached logs every
 * attempt to connect as a warning, and every refusal of a server as an error. The backend tells of those itself.
 * Thread-safe.
 */
public final class DriverLogger extends AbstractLogger {
    private static final String CHOICE = "net.spy.log.LoggerImpl";

    private static final Map<Level, System.Logger.Level> LEVELS = Map.of(
            Level.TRACE, System.Logger.Level.TRACE,
            Level.DEBUG, System.Logger.Level.TRACE,
            Level.INFO, System.Logger.Level.DEBUG,
            Level.WARN, System.Logger.Level.DEBUG,
            Level.ERROR, System.Logger.Level.DEBUG,
            Level.FATAL, System.Logger.Level.ERROR);

    private final System.Logger logger;

    /**
     * Made by spymemcached.
     *
     * @param name the name of the class that logs
     */
    public DriverLogger(String name) {
        super(name);
        logger = System.getLogger(name);
    }

    /**
     * Makes spymemcached choose this logger, unless the application has chosen another, or has used spymemcached before.
     * Repeatable.
     */
    public static synchronized void install() {
        if (System.getProperty(CHOICE) != null) {
            return;
        }
        // It looks at the property once, when it needs its first logger.
        System.setProperty(CHOICE, visibleToDriver() ? DriverLogger.class.getName() : SunLogger.class.getName());
        try {
            LoggerFactory.getLogger(DriverLogger.class);
        } finally {
            System.clearProperty(CHOICE);
        }
    }

    /** Not so in an application server that has spymemcached in a class loader above ours. */
    private static boolean visibleToDriver() {
        try {
            return Class.forName(DriverLogger.class.getName(), false, LoggerFactory.class.getClassLoader())
                    == DriverLogger.class;
        } catch (ClassNotFoundException above) {
            return false;
        }
    }

    @Override
    public boolean isTraceEnabled() {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isEnabled(Level.INFO);
    }

    @Override
    public void log(@Nullable Level level, Object message, @Nullable Throwable failure) {
        if (isEnabled(level)) {
            logger.log(ours(level), () -> String.valueOf(message), failure);
        }
    }

    private boolean isEnabled(@Nullable Level level) {
        return logger.isLoggable(ours(level));
    }

    private static System.Logger.Level ours(@Nullable Level level) {
        return level == null ? System.Logger.Level.ERROR : LEVELS.getOrDefault(level, System.Logger.Level.ERROR);
    }
}
