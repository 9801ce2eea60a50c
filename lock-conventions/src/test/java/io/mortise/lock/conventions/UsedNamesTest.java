// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.tck.servers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What names cost that are used once and never again; {@code -Dmortise.scale.names=1000000} is what the documents quote. */
class UsedNamesTest {
    private static final int NAMES = Integer.getInteger("mortise.scale.names", 100_000);

    private static final long HEAP_LEFT = 32L << 20;

    private static final Duration USED_FOR = Duration.ofSeconds(25);

    /** A row is swept five seconds after its release, or soon after. */
    private static final Duration ROWS_STAY_FOR = Duration.ofSeconds(8);

    /** With its entry in the index, in pages that are not full; about 150 were seen. */
    private static final long BYTES_OF_A_ROW = 200;

    @TempDir
    Path directory;

    @Test
    void namesUsedOnceExpireInRedis() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            int names = Math.min(NAMES, 100_000);
            useOnce(server.url(), names);
            assertThat((Long) server.command("DBSIZE")).isLessThanOrEqualTo(names + 1L);
            for (int i = 0; i < 1_000; i++) {
                String key = String.valueOf(server.command("RANDOMKEY"));
                assertThat((Long) server.command("TTL", key)).as(key).isBetween(1L, 660L);
            }
        }
    }

    @Test
    void namesUsedOnceLeaveNothingInMemory() throws Exception {
        useOnce("memory:names", NAMES);
        assertThat(MemoryStore.named("names").size()).isLessThan(1_000);
    }

    @Test
    void namesUsedOnceLeaveLittleInH2() throws Exception {
        useOnce("jdbc:h2:mem:names", NAMES);
    }

    /** How large the file becomes depends on how fast the machine is, so it is measured by the names of some seconds. */
    @Test
    void namesUsedOnceLeaveLittleInOneSqliteFile() throws Exception {
        Path file = directory.resolve("names.db");
        String url = "jdbc:sqlite:" + file;
        Deque<Long> recent = new ArrayDeque<>();
        int used = 0;
        int mostRecent = 0;
        try (LockClient locks = LockClient.connect(url);
                Connection looking = DriverManager.getConnection(url)) {
            long start = System.nanoTime();
            for (long now = start; now - start < USED_FOR.toNanos(); now = System.nanoTime()) {
                locks.lock("used once " + used).acquire().close();
                used++;
                recent.addLast(now);
                while (now - recent.getFirst() > ROWS_STAY_FOR.toNanos()) {
                    recent.removeFirst();
                }
                mostRecent = Math.max(mostRecent, recent.size());
            }
            assertThat(Files.size(file)).isLessThan(BYTES_OF_A_ROW * mostRecent);
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(rows(looking)).isEqualTo(1));
        }
        System.out.printf(
                "%,d names used once, at most %,d within %d s, leave %,d bytes of file%n",
                used, mostRecent, ROWS_STAY_FOR.toSeconds(), Files.size(file));
    }

    private static int rows(Connection looking) throws SQLException {
        try (Statement statement = looking.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from mortise_locks")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static void useOnce(String url, int names) throws InterruptedException {
        try (LockClient locks = LockClient.connect(url)) {
            locks.lock("warm up").acquire().close();
            long before = Measured.heap();
            long start = System.nanoTime();
            for (int i = 0; i < names; i++) {
                locks.lock("used once " + i).acquire().close();
            }
            long took = System.nanoTime() - start;
            System.out.printf("%s: %,d names, %d us each%n", Measured.store(url), names, took / names / 1000);
            // What the last names leave is swept a while later.
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(Measured.heap() - before).isLessThan(HEAP_LEFT));
            System.out.printf("%s: %,d bytes of heap left%n", Measured.store(url), Measured.heap() - before);
        }
    }
}
