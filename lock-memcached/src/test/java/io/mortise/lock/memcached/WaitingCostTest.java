// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One client asks for all of its threads, about every 40 ms, however many wait. */
class WaitingCostTest {
    private static final Duration WATCHED = Duration.ofSeconds(3);
    private static final long MOST_A_SECOND = 45;

    @Test
    void fiftyWaitersAskNoMoreThanOne() {
        try (MemcachedServer server = MemcachedServer.start();
                LockClient holder = LockClient.connect(server.url());
                LockClient waiting = LockClient.connect(server.url())) {
            Lease lease = holder.lock("lock").tryAcquire().orElseThrow();
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                waiters.add(waiting.lock("lock").acquireAsync());
            }
            // The pauses grow to their longest within half a second.
            await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            long before = commands(server);
            await().pollDelay(WATCHED).until(() -> true);
            long asked = commands(server) - before;
            System.out.printf("50 waiting threads of one client: %d commands in %d s%n", asked, WATCHED.toSeconds());
            assertThat(asked).isBetween(10L, MOST_A_SECOND * WATCHED.toSeconds());

            // In whichever order they came.
            List<CompletableFuture<Boolean>> done = waiters.stream()
                    .map(waiter -> waiter.thenApply(Lease::release))
                    .toList();
            lease.release();
            assertThat(done).allSatisfy(each -> assertThat(each.get(60, TimeUnit.SECONDS))
                    .isTrue());
        }
    }

    private static long commands(MemcachedServer server) {
        return server.counter("cmd_get") + server.counter("cmd_set");
    }
}
