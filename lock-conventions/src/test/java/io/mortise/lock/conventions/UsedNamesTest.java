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
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What names cost that are used once and never again; {@code -Dmortise.scale.names=1000000} is what the documents quote. */
class UsedNamesTest {
    private static final int NAMES = Integer.getInteger("mortise.scale.names", 100_000);

    private static final long HEAP_LEFT = 32L << 20;

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

    @Test
    void namesUsedOnceLeaveLittleInOneSqliteFile() throws Exception {
        Path file = directory.resolve("names.db");
        useOnce("jdbc:sqlite:" + file, Math.min(NAMES, 100_000));
        long size = Files.size(file);
        System.out.printf("%s names used once leave %,d bytes of file%n", Math.min(NAMES, 100_000), size);
        assertThat(size).isLessThan(8L << 20);
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
