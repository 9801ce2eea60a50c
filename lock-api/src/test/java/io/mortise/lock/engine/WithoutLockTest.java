// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that say so go on without the lock when the store does not answer, and only then. */
@Timeout(60)
class WithoutLockTest {
    private final MemoryStore store = new MemoryStore(Ticker.system());
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final LockListener listener = new LockListener() {
        @Override
        public void wentOnWithoutLock(LockEvent event, LockStoreException failure) {
            events.add("without " + event.lockName());
        }
    };
    private final LockClient locks = LockClient.builder(new MemoryBackend(store))
            .callTimeout(Duration.ofMillis(100))
            .options(LockOptions.defaults().withMaxWait(Duration.ofMillis(100)).withGoOnWithoutAnswer(true))
            .listener(listener)
            .build();
    private final DistributedLock lock = locks.lock("a");

    @AfterEach
    void close() {
        store.resume();
        locks.close();
    }

    private static void isNone(Lease lease) {
        assertThat(lease.isWithoutLock()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lease::fencingToken).isInstanceOf(UnsupportedOperationException.class);
        assertThat(lease.release()).isFalse();
        lease.close();
    }

    @Test
    void everyWayOfAskingGoesOnWhenTheStoreIsSilent() throws Exception {
        store.pause();
        isNone(lock.acquire());
        isNone(lock.tryAcquire().orElseThrow());
        isNone(lock.tryAcquire(Duration.ofMillis(10)).orElseThrow());
        isNone(lock.acquireAsync().get(10, TimeUnit.SECONDS));
        isNone(lock.tryAcquireAsync(Duration.ZERO).get(10, TimeUnit.SECONDS).orElseThrow());
        assertThat(lock.<String, RuntimeException>call(lease -> "done " + lease.isWithoutLock()))
                .isEqualTo("done true");
        assertThat(lock.tryRun(lease -> assertThat(lease.isWithoutLock()).isTrue()))
                .isTrue();
        await().until(() -> events.size() == 7);
        assertThat(events).containsOnly("without a");
    }

    @Test
    void theThreadOwnedViewDoesNot() {
        store.pause();
        assertThatThrownBy(() -> lock.asLock().tryLock()).isInstanceOf(LockStoreException.class);
    }

    @Test
    void aLockThatOthersHoldIsBusyAllTheSame() throws Exception {
        try (Lease held = lock.acquire()) {
            assertThat(held.isWithoutLock()).isFalse();
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(lock.tryRun(lease -> events.add("ran"))).isFalse();
        }
        assertThat(events).isEmpty();
    }

    @Test
    void withoutTheOptionSilenceIsAnError() {
        store.pause();
        assertThatThrownBy(() -> locks.lock("a", LockOptions.defaults()).tryAcquire())
                .isInstanceOf(LockStoreException.class);
    }
}
