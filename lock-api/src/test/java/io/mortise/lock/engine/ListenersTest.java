// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
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

    /** Looks into the store alone: a lease whose monitor is stuck would block the test. */
    private void awaitRenewed(String name) {
        Awaitility.await().untilAsserted(() -> assertThat(
                        other.lock(name).holder().orElseThrow().remaining())
                .as("what the store keeps of lock %s, which is renewed now", name)
                .contains(Duration.ofSeconds(30)));
    }

    /** A log appender that blocks. */
    private static final class BlockedAppender extends Handler {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        @Override
        public void publish(LogRecord line) {
            entered.countDown();
            await(mayEnd);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void leasesAreRenewedAndLossesToldWhileTheWarningOfASlowListenerIsStuckInTheLog() throws Exception {
        LockListener slow = new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                await(mayEnd);
            }
        };
        LockClient client = LockClient.builder(new MemoryBackend(memory))
                .ticker(ticker)
                .listener(slow)
                .build();
        Logger log = Logger.getLogger("io.mortise.lock.engine.local.EventDispatcher");
        Level levelBefore = log.getLevel();
        BlockedAppender appender = new BlockedAppender();
        List<String> heard = new CopyOnWriteArrayList<>();
        try {
            log.setLevel(Level.WARNING);
            log.addHandler(appender);
            Lease renewed = client.lock("renewed", OPTIONS.withRenewal(true)).acquire();
            Lease first = client.lock("first", OPTIONS).acquire().onLost(loss -> heard.add("first"));
            Lease second = client.lock("second", OPTIONS).acquire().onLost(loss -> heard.add("second"));
            BackgroundCall<Boolean> crowd = BackgroundCall.startAction(() -> {
                for (int i = 0; i < 2 * LockListener.BACKLOG && appender.entered.getCount() > 0; i++) {
                    client.lock("crowd", OPTIONS).acquire().close();
                }
            });
            assertThat(appender.entered.await(20, TimeUnit.SECONDS))
                    .as("warned")
                    .isTrue();
            for (int i = 0; i < 3; i++) {
                ticker.advance(Duration.ofSeconds(10));
                awaitRenewed("renewed");
            }
            Awaitility.await().untilAsserted(() -> assertThat(heard).containsExactlyInAnyOrder("first", "second"));
            appender.mayEnd.countDown();
            assertThat(crowd.get()).isTrue();
            assertThat(renewed.isHeld()).isTrue();
            assertThat(List.of(first, second)).noneMatch(Lease::isHeld);
        } finally {
            appender.mayEnd.countDown();
            mayEnd.countDown();
            log.removeHandler(appender);
            log.setLevel(levelBefore);
            client.close();
        }
    }

    /** A thread whose interrupt blocks, as that of a thread can that is in a channel of NIO. */
    private static final class SlowlyInterrupted extends Thread {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        private SlowlyInterrupted(Runnable body) {
            super(body, "slowly interrupted");
            setDaemon(true);
        }

        @Override
        public void interrupt() {
            entered.countDown();
            await(mayEnd);
            super.interrupt();
        }
    }

    @Test
    void leasesAreRenewedAndLossesToldWhileTheInterruptOfATaskBlocks() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        CountDownLatch inside = new CountDownLatch(1);
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            locks.lock("task", OPTIONS).run(lease -> {
                lease.whenLost((lost, loss) -> heard.add("task"));
                inside.countDown();
                mayEnd.await();
            });
            return true;
        });
        SlowlyInterrupted thread = new SlowlyInterrupted(task);
        try {
            Lease renewed = locks.lock("renewed", OPTIONS.withRenewal(true)).acquire();
            thread.start();
            inside.await();
            ticker.advance(Duration.ofSeconds(10));
            awaitRenewed("renewed");
            Lease later = locks.lock("later", OPTIONS).acquire().onLost(loss -> heard.add("later"));
            ticker.advance(Duration.ofSeconds(10));
            awaitRenewed("renewed");
            ticker.advance(Duration.ofSeconds(10));
            assertThat(thread.entered.await(20, TimeUnit.SECONDS))
                    .as("interrupted")
                    .isTrue();
            Awaitility.await().untilAsserted(() -> assertThat(heard).containsExactly("task"));
            awaitRenewed("renewed");
            ticker.advance(Duration.ofSeconds(10));
            Awaitility.await().untilAsserted(() -> assertThat(heard).containsExactly("task", "later"));
            awaitRenewed("renewed");
            assertThat(task.isDone()).isFalse();
            thread.mayEnd.countDown();
            assertThatThrownBy(() -> task.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LockLostException.class);
            assertThat(renewed.isHeld()).isTrue();
            assertThat(later.isHeld()).isFalse();
        } finally {
            thread.mayEnd.countDown();
        }
    }

    /** Whenever whoever releases reads the clock, the next caller gets the time to come first. */
    @Test
    void aHandOverIsToldAsAReleaseAndThenAsAnAcquisition() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        CountDownLatch second = new CountDownLatch(2);
        AtomicReference<Thread> releasing = new AtomicReference<>();
        Ticker slowToRelease = new Ticker() {
            @Override
            public long nanos() {
                if (Thread.currentThread() == releasing.get()) {
                    awaitShortly(second);
                }
                return ticker.nanos();
            }

            @Override
            public long wallMillis() {
                return ticker.wallMillis();
            }

            @Override
            public void parkUntil(Object blocker, long until) {
                ticker.parkUntil(blocker, until);
            }
        };
        LockListener listener = new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                events.add("acquired " + event.fencingToken());
                second.countDown();
            }

            @Override
            public void released(LockEvent event) {
                events.add("released " + event.fencingToken());
            }
        };
        try (LockClient client = LockClient.builder(new MemoryBackend(memory))
                .ticker(slowToRelease)
                .listener(listener)
                .build()) {
            Lease lease = client.lock("a").acquire();
            CompletableFuture<Lease> next = client.lock("a").acquireAsync();
            BackgroundCall<Boolean> release = BackgroundCall.start(() -> {
                releasing.set(Thread.currentThread());
                return lease.release();
            });
            Lease heir = next.get(20, TimeUnit.SECONDS);
            assertThat(release.get()).isTrue();
            assertThat(heir.fencingToken()).as("handed over").isEqualTo(lease.fencingToken() + 1);
            Awaitility.await().untilAsserted(() -> assertThat(events)
                    .containsExactly(
                            "acquired " + lease.fencingToken(),
                            "released " + lease.fencingToken(),
                            "acquired " + heir.fencingToken()));
        }
    }

    private static void awaitShortly(CountDownLatch latch) {
        try {
            boolean unused = latch.await(200, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
