// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.servers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What many locks cost that are held at once. Short by default; {@code -Dmortise.scale.seconds=60} is what the documents
 * quote.
 */
class ScaleTest {
    private static final int LOCKS = 10_000;
    private static final int SECONDS = Integer.getInteger("mortise.scale.seconds", 13);

    @TempDir
    Path directory;

    @Test
    void tenThousandLocksInMemory() throws Exception {
        holdMany("memory:scale");
    }

    @Test
    void tenThousandLocksInOneSqliteFile() throws Exception {
        holdMany("jdbc:sqlite:" + directory.resolve("locks.db"));
    }

    @Test
    void tenThousandLocksInRedis() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            holdMany(server.url());
            Map<String, Long> calls = server.commandStats();
            // A call to acquire and one to release each; renewals, one every other second, go a hundred in a call or
            // fewer.
            System.out.printf("redis: %s%n", calls);
            assertThat(calls.get("evalsha")).isLessThan(2L * LOCKS + (long) SECONDS * LOCKS / 50);
        }
    }

    private static void holdMany(String url) throws InterruptedException {
        ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
        LockOptions options = LockOptions.defaults().withLease(Duration.ofSeconds(6));
        try (LockClient locks = LockClient.builder(url).options(options).build()) {
            locks.lock("warm up").acquire().close();
            long heapBefore = Measured.heap();
            List<Lease> leases = new ArrayList<>(LOCKS);
            long start = System.nanoTime();
            for (int i = 0; i < LOCKS; i++) {
                leases.add(locks.lock("lock " + i).acquire());
            }
            long acquired = System.nanoTime() - start;
            long bytes = (Measured.heap() - heapBefore) / LOCKS;
            leases.forEach(lease -> lease.onLost(loss -> lost.add(lease.lockName() + " " + loss)));
            int mostThreads = 0;
            while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS)) {
                mostThreads = Math.max(mostThreads, threads());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            assertThat(lost).isEmpty();
            assertThat(leases).allMatch(Lease::isHeld);
            start = System.nanoTime();
            assertThat(leases).allMatch(Lease::release);
            long released = System.nanoTime() - start;
            System.out.printf(
                    "%s: %d locks held for %d s, %d us to acquire and %d us to release one, %d threads, %d bytes each%n",
                    Measured.store(url),
                    LOCKS,
                    SECONDS,
                    acquired / LOCKS / 1000,
                    released / LOCKS / 1000,
                    mostThreads,
                    bytes);
            assertThat(mostThreads).isLessThanOrEqualTo(url.startsWith("redis:") ? 5 : 4);
            assertThat(bytes).isLessThan(2_000);
        }
    }

    private static int threads() {
        Thread[] all = new Thread[Thread.activeCount() + 20];
        int count = Thread.enumerate(all);
        int ours = 0;
        for (int i = 0; i < count; i++) {
            String name = all[i].getName();
            ours += name.startsWith("mortise-") || name.startsWith("lock-") ? 1 : 0;
        }
        return ours;
    }
}
