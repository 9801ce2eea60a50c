// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.scene.BackgroundTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * K4, K5: what waiting and handing over cost where every process waits with one thread: commands of clients and of scripts, as the server
 * counts them. A client with connections of its own stands for a process, so that no hand-over stays within one.
 */
@Timeout(300)
class HandOverCostTest extends RedisServerTest {
    private static final int WATCHED_SECONDS = Integer.getInteger("mortise.waiting.seconds", 10);
    private static final Duration WATCHED = Duration.ofSeconds(WATCHED_SECONDS);

    @ParameterizedTest
    @ValueSource(ints = {50, 200})
    void aHandOverBetweenProcessesCostsSixCommandsAtMost(int processes) throws Exception {
        String lock = "job-" + processes;
        List<LockClient> clients = new ArrayList<>();
        List<BackgroundTask<Long>> waiting = new ArrayList<>();
        try (LockClient locks = LockClient.connect(server.url())) {
            Lease held = locks.lock(lock, LockOptions.defaults().withLease(Duration.ofMinutes(10)))
                    .acquire();
            for (int i = 0; i < processes; i++) {
                LockClient client = LockClient.connect(server.url());
                clients.add(client);
                waiting.add(new BackgroundTask<>("waiter " + i, () -> {
                    try (Lease lease = client.lock(lock).acquire()) {
                        return lease.fencingToken();
                    }
                }));
            }
            await().atMost(Duration.ofSeconds(120))
                    .until(() ->
                            locks.lock(lock).holder().orElseThrow().waiters().orElse(0) == processes);

            server.command("CONFIG", "RESETSTAT");
            long start = System.nanoTime();
            await().pollInterval(Duration.ofMillis(100))
                    .atMost(WATCHED.plusSeconds(30))
                    .until(() -> System.nanoTime() - start > WATCHED.toNanos());
            Map<String, Long> whileWaiting = commands();

            server.command("CONFIG", "RESETSTAT");
            long released = System.nanoTime();
            held.release();
            List<Long> tokens = new ArrayList<>();
            for (BackgroundTask<Long> each : waiting) {
                tokens.add(each.get(Duration.ofSeconds(120)));
            }
            long took = System.nanoTime() - released;
            Map<String, Long> handingOver = commands();

            double second = (double) sum(whileWaiting) / processes / WATCHED.toSeconds();
            double handOver = (double) sum(handingOver) / processes;
            System.out.printf(
                    "%d processes: %.2f commands a second for each while they wait, %.2f for each hand-over, %d ms for all%n"
                            + "  waiting %s%n  handing over %s%n",
                    processes, second, handOver, took / 1_000_000, whileWaiting, handingOver);
            assertThat(tokens).doesNotHaveDuplicates();
            assertThat(second).isLessThanOrEqualTo(1);
            assertThat(handOver).isLessThanOrEqualTo(6);
        } finally {
            clients.forEach(LockClient::close);
        }
    }

    private static long sum(Map<String, Long> commands) {
        return commands.values().stream().mapToLong(Long::longValue).sum();
    }

    private static Map<String, Long> commands() {
        Map<String, Long> commands = new TreeMap<>(server.commandStats());
        commands.keySet().removeIf(name -> name.equals("info") || name.startsWith("config"));
        return commands;
    }
}
