// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The {@code mortise} command. */
module io.mortise.lock.cli {
    requires com.fasterxml.jackson.core;
    requires io.mortise.lock;
    requires io.mortise.lock.jdbc;
    requires io.mortise.lock.migration;
    requires io.mortise.lock.tck;
    requires java.logging;
    requires java.sql;
    requires jdk.httpserver;
    requires jdk.unsupported;
    requires static org.jspecify;
    requires info.picocli;
    requires org.junit.platform.launcher;

    // Makes the configuration of its loggers.
    exports io.mortise.lock.cli.console to
            java.logging;

    opens io.mortise.lock.cli to
            info.picocli;
    opens io.mortise.lock.cli.command to
            info.picocli;
    // JUnit makes the test class, and so does each child process of the suite.
    opens io.mortise.lock.cli.conformance to
            info.picocli,
            io.mortise.lock.tck,
            org.junit.platform.commons;
    opens io.mortise.lock.cli.console to
            info.picocli;
    opens io.mortise.lock.cli.demo to
            info.picocli;
    opens io.mortise.lock.cli.help to
            info.picocli;
    opens io.mortise.lock.cli.migration to
            info.picocli;
    opens io.mortise.lock.cli.store to
            info.picocli;
    opens io.mortise.lock.cli.watch to
            info.picocli;
}
