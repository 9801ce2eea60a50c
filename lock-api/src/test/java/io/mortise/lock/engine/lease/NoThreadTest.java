// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.Thrown;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.engine.local.WorkQueue;
import io.mortise.lock.engine.local.WorkerStarter;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.Moment;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When the machine has no threads left for a while, what could not begin then begins when there are threads again. */
class NoThreadTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final MemoryBackend backend = new MemoryBackend(new MemoryStore(Ticker.system()));
    private final AtomicInteger refusals = new AtomicInteger();

    /** Refuses as often as a test says, and runs everything else on the thread that asks. */
    private Executor workers(Thrown refusal) {
        return task -> {
            if (refusals.getAndDecrement() > 0) {
                refusal.raise();
            }
            task.run();
        };
    }

    private Claim claim(String lock, String owner) {
        return backend.claim(new ClaimRequest(lock, owner, "", LEASE, false, 0, 1), () -> {});
    }

    /** A lease that counts how often a renewal of it begins. */
    private final class Counted implements RenewableLease {
        private int begun;

        @Override
        public Renewal renewal() {
            return new Renewal(claim("counted", "1"), LEASE);
        }

        @Override
        public int batchLimit() {
            return Renewer.LARGEST_BATCH;
        }

        @Override
        public long beginRenewal() {
            begun++;
            return LEASE.toNanos();
        }

        @Override
        public void renewed(Answer answer, Moment asked, Duration spent) {}

        @Override
        public void renewalRefused(String why) {}

        @Override
        public void renewalFailed() {}
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void renewalsGoOnWhenThereAreThreadsAgain(Thrown refusal) {
        Counted lease = new Counted();
        Renewer renewer = new Renewer(backend, Environment.system(), Ticker.system(), workers(refusal), LEASE);
        renewer.add(lease);
        refusals.set(5);
        for (int i = 0; i < 5; i++) {
            assertThat(renewer.start()).isFalse();
        }
        assertThat(renewer.start()).isTrue();
        assertThat(lease.begun).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void aReleaseWithoutThreadIsDoneWhenThereIsOneAgain(Thrown refusal) throws Exception {
        Cleanup cleanup = new Cleanup(Environment.system(), Ticker.system(), workers(refusal), LEASE);
        Claim held = claim("a", "1");
        assertThat(held.tryAcquire(LEASE)).isTrue();
        refusals.set(2);
        cleanup.release("it", new ClaimRelease(held, Duration.ofMillis(1), Environment.system()), LEASE.toNanos());
        assertThat(cleanup.start()).isFalse();
        assertThat(cleanup.isIdle()).isFalse();
        assertThat(cleanup.start()).isTrue();
        assertThat(cleanup.isIdle()).isTrue();
        assertThat(claim("a", "3").tryAcquire(LEASE)).isTrue();
    }

    private static LockEvent event(String lock) {
        return new LockEvent(lock, "memory:", 1, false, Duration.ZERO, Duration.ofNanos(1));
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void anEventWithoutThreadIsToldWhenThereIsOneAgain(Thrown refusal) {
        List<String> heard = new ArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void released(LockEvent event) {
                heard.add(event.lockName());
            }
        };
        EventDispatcher events = new EventDispatcher(List.of(listener), workers(refusal));
        refusals.set(1);
        events.tell(() -> event("a"), LockListener::released);
        events.tell(() -> event("b"), LockListener::released);
        assertThat(heard).isEmpty();
        assertThat(events.start()).isTrue();
        assertThat(heard).containsExactly("a", "b");
    }

    /** The timer waits for the end of a lease, which may be far away, when a thread is refused. */
    @ParameterizedTest
    @EnumSource(Thrown.class)
    void whatFoundNoThreadIsStartedAgainSoonAndNotOnlyWithTheNextAlarm(Thrown refusal) throws Exception {
        ManualTicker ticker = new ManualTicker();
        Executor workers = workers(refusal);
        WorkQueue steps = new WorkQueue(workers, 1, "test");
        LeaseServices services = OneExecutor.services(backend, ticker, workers, steps);
        LeaseTimer.Alarm farAway = new LeaseTimer.Alarm() {
            @Override
            protected void goOff() {}
        };
        services.timer().register(farAway);
        services.timer().set(farAway, ticker.nanos() + Duration.ofDays(1).toNanos());
        ticker.awaitParked(1);
        AtomicBoolean ran = new AtomicBoolean();
        refusals.set(3);
        steps.run(new WorkQueue.Task() {
            @Override
            protected void run() {
                ran.set(true);
            }
        });
        await().until(() -> {
            ticker.advance(Duration.ofMillis(20));
            return ran.get();
        });
        services.timer().close();
    }

    /** A task that has lost its lock must not go on for want of a thread. */
    @ParameterizedTest
    @EnumSource(Thrown.class)
    void anInterruptWithoutThreadIsDoneByTheTimer(Thrown refusal) {
        Executor none = task -> refusal.raise();
        WorkQueue interrupts = new WorkQueue(none, 1, "an interrupt");
        LeaseServices services = LeaseServices.of(
                backend,
                Environment.system(),
                Ticker.system(),
                "memory:",
                LEASE,
                0.01,
                new EventDispatcher(List.of(), none),
                none,
                none,
                interrupts,
                new WorkQueue(none, 1, "test"));
        AtomicReference<String> by = new AtomicReference<>("nobody");
        interrupts.run(new WorkQueue.Task() {
            @Override
            protected void run() {
                by.set(Thread.currentThread().getName());
            }
        });
        await().untilAsserted(() -> assertThat(by).hasValue("mortise-timer"));
        services.timer().close();
    }

    /** To be refused a thread takes milliseconds, and leases that have to be renewed wait for the timer. */
    @ParameterizedTest
    @EnumSource(Thrown.class)
    void theTimerIsRefusedAThreadOnceAndNotOnceForEachLossThatIsToBeTold(Thrown refusal) {
        ManualTicker ticker = new ManualTicker();
        AtomicInteger attempts = new AtomicInteger();
        Executor none = task -> {
            attempts.incrementAndGet();
            refusal.raise();
        };
        LeaseServices services = OneExecutor.services(backend, ticker, none, new WorkQueue(none, 1, "test"));
        EventDispatcher events = services.events();
        AtomicInteger inAlarm = new AtomicInteger();
        LeaseTimer.Alarm alarm = new LeaseTimer.Alarm() {
            @Override
            protected void goOff() {
                for (int i = 0; i < 1_000; i++) {
                    events.run(new WorkQueue.Task() {
                        @Override
                        protected void run() {}
                    });
                }
                inAlarm.set(attempts.get());
            }
        };
        services.timer().register(alarm);
        services.timer().set(alarm, ticker.nanos());
        await().until(() -> inAlarm.get() > 0);
        assertThat(inAlarm).hasValue(1);
        services.timer().close();
    }

    /** What is handed to it blocks, as where the disk for the log is full. */
    private static final class BlockingHandler extends Handler {
        private final List<String> logged = new CopyOnWriteArrayList<>();
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        @Override
        public void publish(LogRecord record) {
            logged.add(new SimpleFormatter().formatMessage(record));
            try {
                mayEnd.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void aLogThatBlocksWhereAThreadIsRefusedHoldsUpNoLoss() {
        ManualTicker ticker = new ManualTicker();
        Executor threads = task -> {
            if (refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        };
        List<String> lost = new CopyOnWriteArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void lost(LockEvent event, Loss loss) {
                lost.add(event.lockName());
            }
        };
        LeaseServices services =
                OneExecutor.services(backend, ticker, threads, new WorkQueue(threads, 1, "test"), listener);
        LocalQueue<HeldLease> queue = new LocalQueue<>(lease -> !lease.isLost());
        BlockingHandler handler = new BlockingHandler();
        Logger log = Logger.getLogger(WorkerStarter.class.getName());
        Level levelBefore = log.getLevel();
        log.setLevel(Level.WARNING);
        log.addHandler(handler);
        try {
            for (String lock : List.of("a", "b")) {
                HeldLease lease = HeldLease.start(
                        services,
                        queue.enter(lock, LockOptions.defaults().withRenewal(false), ticker.nanos(), () -> {}),
                        new ClaimRelease(claim(lock, "1"), Duration.ofMillis(1), Environment.system()),
                        Validity.of(Moment.now(ticker), LEASE, Duration.ZERO, 0.01),
                        0,
                        new HandOverBudget(0, 0),
                        false);
                assertThat(lease.taken(0, 0)).isTrue();
                ticker.advance(LEASE.dividedBy(6));
            }
            refusals.set(2);
            ticker.advance(LEASE.multipliedBy(2).dividedBy(3));
            await().until(() -> {
                ticker.advance(Duration.ofMillis(500));
                return lost.contains("b");
            });
            assertThat(lost).containsExactly("a", "b");
            await().untilAsserted(() -> assertThat(handler.logged)
                    .isNotEmpty()
                    .allMatch(text -> text.contains("no thread could be started")));
        } finally {
            handler.mayEnd.countDown();
            log.removeHandler(handler);
            log.setLevel(levelBefore);
            services.timer().close();
        }
    }
}
