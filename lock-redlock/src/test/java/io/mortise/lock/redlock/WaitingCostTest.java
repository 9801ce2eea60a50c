// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for locks of a quorum costs its servers little, and its holders nothing. */
@Timeout(120)
class WaitingCostTest {
    private static final int NAMES = 20;
    private static final double MOST_A_SECOND = 20;
    private static final Duration LEASE = Duration.ofMinutes(1);

    @Test
    void aWaitedForNameCostsFiveServersTwentyCommandsASecondAtMost() throws Exception {
        try (Five five = Five.start();
                LockClient holder = LockClient.connect(five.url());
                LockClient waiter = LockClient.connect(five.url())) {
            LockOptions options = LockOptions.defaults().withLease(LEASE);
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                held.add(holder.lock("name-" + i, options)
                        .tryAcquire(Duration.ofSeconds(30))
                        .orElseThrow());
            }
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                waiting.add(waiter.lock("name-" + i, options).acquireAsync());
            }
            await("all have tried, and look").atMost(Duration.ofSeconds(30)).until(() -> looks(five) > 10 * NAMES);

            long began = System.nanoTime();
            long before = commands(five);
            await().atMost(Duration.ofSeconds(60)).until(() -> System.nanoTime() - began > 5_000_000_000L);
            double each = (commands(five) - before) / ((System.nanoTime() - began) / 1e9) / NAMES;
            assertThat(each).isBetween(1.0, MOST_A_SECOND);

            held.forEach(Lease::close);
            for (CompletableFuture<Lease> one : waiting) {
                one.get(60, TimeUnit.SECONDS).close();
            }
        }
    }

    private static long looks(Five five) {
        return five.all().stream()
                .mapToLong(server -> server.commandStats().getOrDefault("pttl", 0L))
                .sum();
    }

    private static long commands(Five five) {
        return five.all().stream()
                .map(RedisServer::commandStats)
                .mapToLong(calls ->
                        calls.values().stream().mapToLong(Long::longValue).sum())
                .sum();
    }
}
