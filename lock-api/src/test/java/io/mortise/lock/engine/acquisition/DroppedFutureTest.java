// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DroppedFutureTest {
    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker);
    private final LockClient locks =
            LockClient.builder(new MemoryBackend(store)).ticker(ticker).build();
    private final LockClient other =
            LockClient.builder(new MemoryBackend(store)).ticker(ticker).build();

    @AfterEach
    void close() {
        locks.close();
        other.close();
    }

    /** The store keeps what nudges a waiter for as long as it keeps the claim. */
    @Test
    void aLeaseOfAFutureThatNobodyCanReachAnyMoreIsNotRenewed() throws Exception {
        assertThat(locks.lock("a").acquireAsync().get().isHeld()).isTrue();
        await().until(() -> {
            System.gc();
            ticker.advance(Duration.ofSeconds(10));
            return other.lock("a").tryAcquire().isPresent();
        });
    }

    /** The future can still be reached, but whoever waits for it will never be told of the lease. */
    @Test
    void aLeaseWhoseOutcomeTheExecutorDroppedIsNotRenewed() {
        AtomicInteger dropped = new AtomicInteger();
        CompletableFuture<Lease> untold;
        try (LockClient client = LockClient.builder(new MemoryBackend(store))
                .ticker(ticker)
                .executor(task -> dropped.incrementAndGet())
                .build()) {
            untold = client.lock("a").acquireAsync();
            await().until(() -> dropped.get() == 1);
            assertThat(other.lock("a").tryAcquire()).isEmpty();
            await().until(() -> {
                System.gc();
                ticker.advance(Duration.ofSeconds(10));
                return other.lock("a").tryAcquire().isPresent();
            });
            assertThat(untold).isNotDone();
        }
        assertThat(untold).isCompletedExceptionally();
    }
}
