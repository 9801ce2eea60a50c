// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
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
}
