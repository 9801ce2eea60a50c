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
@Timeout(600)
class HandOverCostTest extends RedisServerTest {
    private static final int WATCHED_SECONDS = Integer.getInteger("mortise.waiting.seconds", 10);
    private static final Duration WATCHED = Duration.ofSeconds(WATCHED_SECONDS);

    /** A look and a ping, which the time may begin and end with. */
    private static final int AT_THE_EDGES = 5;

    private final List<LockClient> clients = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {50, 200})
    void aHandOverBetweenProcessesCostsSixCommandsAtMost(int processes) throws Exception {
        try (LockClient holder = LockClient.connect(server.url())) {
            for (int i = 0; i < processes; i++) {
                clients.add(LockClient.connect(server.url()));
            }
            Map<String, Long> waiting = new TreeMap<>();
            Map<String, Long> handingOver = new TreeMap<>(Map.of("zadd", 1L));
            // Where somebody came back to the queue, the machine has stood still, and claims were taken for dead: that
            // says nothing.
            for (int round = 0; handingOver.containsKey("zadd"); round++) {
                assertThat(round).as("the machine stands still again and again").isLessThan(10);
                round("job-" + processes + "-" + round, holder, waiting, handingOver);
            }

            double second = (double) sum(waiting) / processes / WATCHED_SECONDS;
            double handOver = (double) sum(handingOver) / processes;
            double looks = (double) looks(handingOver) / processes;
            System.out.printf(
                    "%d processes: %.2f commands a second for each while they wait, %.2f for each hand-over and %.2f meanwhile%n"
                            + "  waiting %s%n  handing over %s%n",
                    processes, second, handOver - looks, looks, waiting, handingOver);
            assertThat(sum(waiting)).isLessThanOrEqualTo((long) processes * (WATCHED_SECONDS + AT_THE_EDGES));
            assertThat(handOver - looks).isLessThanOrEqualTo(6);
        } finally {
            clients.forEach(LockClient::close);
        }
    }

    /** All wait, once for a while that is watched, and then have the lock one after the other. */
    private void round(String lock, LockClient holder, Map<String, Long> waiting, Map<String, Long> handingOver)
            throws Exception {
        Lease held = holder.lock(lock, LockOptions.defaults().withLease(Duration.ofMinutes(10)))
                .acquire();
        List<BackgroundTask<Long>> waiters = new ArrayList<>();
        for (LockClient client : clients) {
            waiters.add(new BackgroundTask<>("waiter " + waiters.size(), () -> {
                try (Lease lease = client.lock(lock).acquire()) {
                    return lease.fencingToken();
                }
            }));
        }
        await().atMost(Duration.ofMinutes(2))
                .until(() -> holder.lock(lock).holder().orElseThrow().waiters().orElse(0) == clients.size());
        if (waiting.isEmpty()) {
            server.command("CONFIG", "RESETSTAT");
            long start = System.nanoTime();
            await().pollInterval(Duration.ofMillis(100))
                    .atMost(WATCHED.plusSeconds(30))
                    .until(() -> System.nanoTime() - start > WATCHED.toNanos());
            waiting.putAll(commands());
        }
        server.command("CONFIG", "RESETSTAT");
        held.release();
        List<Long> tokens = new ArrayList<>();
        for (BackgroundTask<Long> each : waiters) {
            tokens.add(each.get(Duration.ofMinutes(2)));
        }
        handingOver.clear();
        handingOver.putAll(commands());
        assertThat(tokens).doesNotHaveDuplicates();
    }

    private static long sum(Map<String, Long> commands) {
        return commands.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What those cost who still wait: pings, and looks, which are a script, the holder, the place, and what is seldom. */
    private static long looks(Map<String, Long> commands) {
        return commands.getOrDefault("ping", 0L)
                + 3 * commands.getOrDefault("zrank", 0L)
                + commands.getOrDefault("zscore", 0L)
                + commands.getOrDefault("pttl", 0L);
    }

    private static Map<String, Long> commands() {
        Map<String, Long> commands = new TreeMap<>(server.commandStats());
        commands.keySet().removeIf(name -> name.equals("info") || name.startsWith("config"));
        return commands;
    }
}
