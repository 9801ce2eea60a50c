// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.servers.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The suite passes on a file and a database server, which processes share. */
class SqliteAndPostgresTckTest extends LockBackendTck implements Faults {
    @TempDir
    static Path folder;

    static PostgresServer postgres;

    @BeforeAll
    static void start() {
        postgres = PostgresServer.start();
        StartedMigration.in(MigrationWindow.DUAL, url());
    }

    private static String url() {
        return "migrate:tck from jdbc:sqlite:" + folder.resolve("locks.db") + " to " + postgres.url();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @Override
    public String store() {
        return url();
    }

    @Override
    public LockBackend open(String store) {
        return StartedMigration.open(store);
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(1);
    }
}
