// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.process.TestServer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database server of a test class: started before its tests and closed after them. */
final class TestDatabase implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    private record Running(TestServer server, String url, BiFunction<String, Integer, String> urlAt) {}

    private final Supplier<Running> start;
    private boolean emptied;
    private @Nullable Running running;

    private TestDatabase(Supplier<Running> start) {
        this.start = start;
    }

    static TestDatabase postgres(String... settings) {
        return new TestDatabase(() -> {
            PostgresServer server = PostgresServer.start(settings);
            return new Running(server, server.url(), server::urlAt);
        });
    }

    static TestDatabase mariaDb(String... arguments) {
        return new TestDatabase(() -> {
            MariaDbServer server = MariaDbServer.start(arguments);
            return new Running(server, server.url(), server::urlAt);
        });
    }

    static TestDatabase h2(Supplier<Path> folder) {
        return new TestDatabase(() -> {
            H2Process server = H2Process.start(folder.get());
            return new Running(server, server.url(), H2Process::urlAt);
        });
    }

    /** PostgreSQL that need not survive a crash of the machine, without tables before each test: fast. */
    static TestDatabase fastPostgres() {
        return postgres("synchronous_commit=off").emptied();
    }

    /** MariaDB that need not survive a crash of the machine, without tables before each test: fast. */
    static TestDatabase fastMariaDb() {
        return mariaDb("--innodb-flush-log-at-trx-commit=2").emptied();
    }

    private TestDatabase emptied() {
        emptied = true;
        return this;
    }

    TestServer server() {
        return running().server;
    }

    String url() {
        return running().url;
    }

    /** The URL of the same database, by way of a proxy. */
    String urlAt(String host, int port) {
        return running().urlAt.apply(host, port);
    }

    private Running running() {
        return Objects.requireNonNull(running, "not started yet");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running = start.get();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (emptied) {
            Rows.dropTables(url());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server().close();
    }
}
