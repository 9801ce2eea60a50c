// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.servers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The suite passes on a server in memory and a database in a file; the database is of this JVM alone. */
class RedisAndH2TckTest extends LockBackendTck implements Faults {
    @TempDir
    static Path folder;

    static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        StartedMigration.in(MigrationWindow.DUAL, url());
    }

    private static String url() {
        return "migrate:tck from " + redis.url() + " to jdbc:h2:file:" + folder.resolve("locks");
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Override
    public String store() {
        return "";
    }

    @Override
    public LockBackend open(String store) {
        return StartedMigration.open(url());
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(1);
    }

    @Override
    public void pauseStore() {
        redis.pause();
    }

    @Override
    public void resumeStore() {
        redis.resume();
    }
}
