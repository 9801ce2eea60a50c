// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.fleet.Fleet;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.RedisServer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Five processes that lock with another library move to this one and back while they work, on real servers. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FleetFromElsewhereTest {
    private static final Logger LOG = System.getLogger(FleetFromElsewhereTest.class.getName());
    private static final int PROCESSES = 5;
    private static final int WORK = 200;
    private static final Duration BOUND = Duration.ofSeconds(4);

    @TempDir
    private Path folder;

    @Test
    void fromRedisson() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PostgresServer postgres = PostgresServer.start()) {
            String address = "redis://" + redis.host() + ":" + redis.port();
            move(
                    RedissonProgram.class,
                    address,
                    "migrate:fleet from " + address + "?format=redisson to " + postgres.url(),
                    postgres.url());
        }
    }

    /** To a table of the same database. */
    @Test
    void fromShedLock() throws Exception {
        try (PostgresServer postgres = PostgresServer.start()) {
            Database.execute(postgres.url(), ShedLockJdbcTck.TABLE);
            move(
                    ShedLockProgram.class,
                    postgres.url(),
                    "migrate:fleet from " + postgres.url() + "&mortise.format=shedlock to " + postgres.url(),
                    postgres.url());
        }
    }

    private void move(Class<?> theirs, String theirStore, String migrating, String young) throws Exception {
        long begin = System.nanoTime();
        try (Fleet fleet = new Fleet(folder);
                Migration migration = Migration.open(migrating)) {
            fleet.start(PROCESSES, theirs, theirStore);
            fleet.awaitWork(WORK);
            migration.start(BOUND, left -> {});
            fleet.roll(migrating);
            MigrationWindow window = MigrationWindow.OLD_AND_DUAL;
            while (window != MigrationWindow.NEW) {
                window = migration.advance(window, left -> {});
                fleet.awaitWork(WORK);
            }
            while (window != MigrationWindow.OLD) {
                window = migration.back(window, left -> {});
                fleet.awaitWork(WORK);
            }
            migration.abort();
            fleet.roll(theirs, theirStore);
            fleet.awaitWork(WORK);
            migration.start(BOUND, left -> {});
            fleet.roll(migrating);
            for (window = MigrationWindow.OLD_AND_DUAL; window != MigrationWindow.NEW; ) {
                window = migration.advance(window, left -> {});
                fleet.awaitWork(WORK);
            }
            migration.finish();
            fleet.roll(young);
            fleet.awaitWork(WORK);
            int work = fleet.check();
            double seconds = (System.nanoTime() - begin) / 1e9;
            LOG.log(
                    Level.INFO,
                    () -> String.format(
                            Locale.ROOT,
                            "%s: there, back and there again, %d pieces of work in %.0f s, %.0f a second; %s",
                            theirs.getSimpleName(),
                            work,
                            seconds,
                            work / seconds,
                            fleet.said()));
        }
    }
}
