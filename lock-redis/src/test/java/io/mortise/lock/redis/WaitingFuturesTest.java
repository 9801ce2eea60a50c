// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Futures that wait on Redis need no threads of their own, be it for one lock or for one each. */
@Timeout(180)
class WaitingFuturesTest extends RedisServerTest {
    private static final int MANY = 10_000;
    private static final int MOST_THREADS = 20;
    private static final LockOptions LASTING =
            LockOptions.defaults().withLease(Duration.ofHours(1)).withRenewal(false);

    @Test
    void futuresOfOneLockWaitWithFewThreads() throws Exception {
        wait(i -> "one");
    }

    @Test
    void futuresOfManyLocksWaitWithFewThreads() throws Exception {
        wait(i -> "many " + i);
    }

    /** Which lock a future waits for. */
    private interface Names {
        String name(int future);
    }

    private static void wait(Names names) throws Exception {
        int before = threads();
        try (LockClient locks = LockClient.connect(server.url());
                LockClient other = LockClient.connect(server.url())) {
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                other.lock(names.name(i), LASTING).tryAcquire().ifPresent(held::add);
            }
            int others = threads() - before;
            List<CompletableFuture<Boolean>> ends = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                ends.add(locks.lock(names.name(i), LASTING).acquireAsync().thenApply(Lease::release));
            }
            for (int i = 0; i < MANY; i += 1_000) {
                String name = names.name(i);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> other.lock(name)
                                        .holder()
                                        .orElseThrow()
                                        .waiters()
                                        .orElse(0)
                                == 1);
            }
            int waiting = threads() - before - others;
            System.out.printf("%d futures wait for %s with %d threads%n", MANY, names.name(0), waiting);
            assertThat(waiting).isLessThan(MOST_THREADS);
            held.forEach(Lease::close);
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(60, SECONDS);
            assertThat(ends).allMatch(CompletableFuture::join);
        }
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }
}
