// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** P8: five clients of five members do not block each other forever. */
class ConvergenceTest {
    private static final int EACH = 20;

    @Test
    void fiveClientsOnFiveMembersConverge() throws Exception {
        Stores stores = new Stores(5);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        long[] tokens = new long[5 * EACH];
        AtomicInteger next = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(5);
        try {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                clients.add(threads.submit(() -> {
                    try (LockClient client = LockClient.builder(stores.quorum()).build()) {
                        for (int round = 0; round < EACH; round++) {
                            LockOptions options = LockOptions.defaults().withLease(Duration.ofSeconds(30));
                            try (Lease lease = client.lock("shared", options).acquire()) {
                                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                tokens[next.getAndIncrement()] = lease.fencingToken();
                                inside.decrementAndGet();
                            }
                        }
                    }
                    return true;
                }));
            }
            for (Future<?> client : clients) {
                client.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(most).hasValue(1);
        assertThat(next).hasValue(5 * EACH);
        assertThat(tokens).isSorted();
        assertThat(Arrays.stream(tokens).distinct().count()).isEqualTo(tokens.length);
    }
}
