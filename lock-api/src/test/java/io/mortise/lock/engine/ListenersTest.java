// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners of many leases neither delay an interrupt nor take many threads, and none is forgotten. */
@Timeout(60)
class ListenersTest {
    private static final int LEASES = 1_500;
    private static final LockOptions OPTIONS =
            LockOptions.defaults().withLease(Duration.ofSeconds(30)).withRenewal(false);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore memory = new MemoryStore(ticker);
    private final LockClient locks =
            LockClient.builder(new MemoryBackend(memory)).ticker(ticker).build();
    private final LockClient other =
            LockClient.builder(new MemoryBackend(memory)).ticker(ticker).build();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger told = new AtomicInteger();

    @AfterEach
    void close() {
        mayEnd.countDown();
        locks.close();
        other.close();
    }

    private List<Lease> leasesWithBlockingListeners(String prefix, CountDownLatch until) throws InterruptedException {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < LEASES; i++) {
            leases.add(locks.lock(prefix + i, OPTIONS).acquire().onLost(loss -> {
                told.incrementAndGet();
                await(until);
            }));
        }
        return leases;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mortise-"))
                .count();
    }

    /** The best of five rounds, since a machine may stand still for a moment. */
    @Test
    void theInterruptOfATaskComesAtOnceBesideManyListenersThatBlock() throws Exception {
        List<Long> tookMillis = new ArrayList<>();
        List<Long> threads = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            CountDownLatch until = new CountDownLatch(1);
            List<Lease> leases = leasesWithBlockingListeners(round + "/", until);
            CountDownLatch entered = new CountDownLatch(1);
            AtomicLong interruptedAt = new AtomicLong();
            BackgroundCall<Boolean> task =
                    BackgroundCall.startAction(() -> locks.lock("task", OPTIONS).run(lease -> {
                        entered.countDown();
                        try {
                            mayEnd.await();
                        } finally {
                            interruptedAt.set(System.nanoTime());
                        }
                    }));
            entered.await();
            long start = System.nanoTime();
            ticker.advance(Duration.ofSeconds(30));
            assertThat(task.failure()).isInstanceOf(LockLostException.class);
            tookMillis.add((interruptedAt.get() - start) / 1_000_000);
            threads.add(threads());
            until.countDown();
            int soFar = (round + 1) * LEASES;
            Awaitility.await().untilAsserted(() -> assertThat(told).hasValue(soFar));
            assertThat(leases).noneMatch(Lease::isHeld);
        }
        assertThat(threads)
                .as("threads of clients, where the interrupts came after %s milliseconds", tookMillis)
                .allMatch(count -> count < 30);
        assertThat(tookMillis).as("milliseconds to the interrupt").anyMatch(millis -> millis < 150);
    }

    @Test
    void aLossIsToldWhileOtherListenersBlock() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 3; i++) {
            locks.lock("blocking " + i, OPTIONS).acquire().onLost(loss -> await(mayEnd));
        }
        Lease lease = locks.lock("a", OPTIONS).acquire().onLost(loss -> heard.add("lost"));
        ticker.advance(Duration.ofSeconds(30));
        Awaitility.await().untilAsserted(() -> assertThat(heard).containsExactly("lost"));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void listenersAreGivenTheirLease() throws Exception {
        List<Object> heard = new CopyOnWriteArrayList<>();
        Lease lease = locks.lock("a", OPTIONS)
                .acquire()
                .whenLost((lost, loss) -> heard.add(lost.lockName() + lost.fencingToken() + lost.isHeld()));
        ticker.advance(Duration.ofSeconds(30));
        Awaitility.await().untilAsserted(() -> assertThat(heard)
                .containsExactly(lease.lockName() + lease.fencingToken() + false));
    }

    @Test
    @SuppressWarnings("CheckReturnValue")
    void aListenerThatUsesTheLeaseItIsGivenDoesNotKeepADroppedLease() throws Exception {
        locks.lock("a")
                .acquire()
                .whenLost((lease, loss) -> lease.release())
                .whenAtRisk((lease, left) -> lease.isHeld())
                .onLost(loss -> told.incrementAndGet());
        Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> {
            System.gc();
            ticker.advance(Duration.ofSeconds(10));
            return other.lock("a").tryAcquire().isPresent();
        });
        Awaitility.await().untilAsserted(() -> assertThat(told).hasValue(1));
    }
}
