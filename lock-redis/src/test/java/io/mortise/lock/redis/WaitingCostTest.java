// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** K4, K5: what waiting costs the server: commands of clients and of scripts, as the server counts them. */
@Timeout(180)
class WaitingCostTest extends RedisServerTest {
    private static final int PROCESSES = 4;
    private static final int WATCHED_SECONDS = Integer.getInteger("mortise.waiting.seconds", 5);

    /** A waiting process looks again every four seconds at most, which is 7 commands, and pings. */
    private static final long MOST_FOR_A_PROCESS = (7 + 1) * (WATCHED_SECONDS / 4 + 1L);

    private static final Duration WATCHED = Duration.ofSeconds(WATCHED_SECONDS);

    @ParameterizedTest
    @ValueSource(ints = {50, 200})
    void costsDoNotGrowWithTheNumberOfWaiters(int waiters) throws Exception {
        String lock = "job-" + waiters;
        List<WaiterProcess> processes = new ArrayList<>();
        try (LockClient locks = LockClient.connect(server.url())) {
            Lease held = locks.lock(lock, LockOptions.defaults().withLease(Duration.ofMinutes(10)))
                    .acquire();
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(WaiterProcess.start(server.url(), lock, waiters / PROCESSES));
            }
            processes.forEach(process -> process.await("ready"));
            await().until(() ->
                    locks.lock(lock).holder().orElseThrow().waiters().orElse(0) == PROCESSES);

            server.command("CONFIG", "RESETSTAT");
            long start = System.nanoTime();
            await().pollInterval(Duration.ofMillis(100))
                    .atMost(WATCHED.plusSeconds(10))
                    .until(() -> System.nanoTime() - start > WATCHED.toNanos());
            long waiting = server.requests();
            assertThat(waiting).isLessThanOrEqualTo(PROCESSES * MOST_FOR_A_PROCESS);

            server.command("CONFIG", "RESETSTAT");
            held.release();
            processes.forEach(process -> process.await("done"));
            double each = (double) server.requests() / waiters;
            System.out.printf(
                    "%d waiters in %d processes: %d commands in %d s of waiting, %.2f for each hand-over%n",
                    waiters, PROCESSES, waiting, WATCHED.toSeconds(), each);
            assertThat(each).isLessThanOrEqualTo(6);
        } finally {
            processes.forEach(WaiterProcess::close);
        }
    }
}
