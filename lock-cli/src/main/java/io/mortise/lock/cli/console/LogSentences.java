// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Keeps the logs of the libraries off standard error, which cron mails: only warnings of Mortise itself are told, as sentences. It is
 * the configuration of {@code java.util.logging}, which that makes when something logs, so a command that logs nothing pays nothing.
 */
public final class LogSentences {
    private static final String CONFIGURATION = "java.util.logging.config.class";

    /** Made by {@code java.util.logging}. */
    public LogSentences() {
        Logger root = LogManager.getLogManager().getLogger("");
        root.setLevel(Level.WARNING);
        root.addHandler(new Sentences());
    }

    /** Makes this the configuration, unless the user has named another. */
    public static void install() {
        if (System.getProperty(CONFIGURATION) == null && System.getProperty("java.util.logging.config.file") == null) {
            System.setProperty(CONFIGURATION, LogSentences.class.getName());
        }
    }

    /** From now on nothing is told: what is logged is meant to happen. */
    public static void silence() {
        Logger.getLogger("").setLevel(Level.OFF);
    }

    private static final class Sentences extends Handler {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord log) {
            String logger = String.valueOf(log.getLoggerName());
            if (isLoggable(log) && logger.startsWith("io.mortise.")) {
                Console.say(Printable.of(formatter.formatMessage(log)));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
