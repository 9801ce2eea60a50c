// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.engine.local.WorkQueue;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When the machine has no threads left for a while, what could not begin then begins when there are threads again. */
class NoThreadTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final MemoryBackend backend = new MemoryBackend(new MemoryStore(Ticker.system()));
    private final AtomicInteger refusals = new AtomicInteger();
    private final Executor workers = task -> {
        if (refusals.getAndDecrement() > 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        task.run();
    };

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
        public void renewed(Answer answer, Validity.Stamp asked, Duration spent) {}

        @Override
        public void renewalFailed() {}
    }

    @Test
    void renewalsGoOnWhenThereAreThreadsAgain() {
        Counted lease = new Counted();
        Renewer renewer = new Renewer(backend, Ticker.system(), workers, LEASE);
        renewer.add(lease);
        refusals.set(5);
        for (int i = 0; i < 5; i++) {
            assertThat(renewer.start()).isFalse();
        }
        assertThat(renewer.start()).isTrue();
        assertThat(lease.begun).isEqualTo(1);
    }

    @Test
    void aReleaseWithoutThreadIsDoneWhenThereIsOneAgain() throws Exception {
        Cleanup cleanup = new Cleanup(Ticker.system(), workers, LEASE);
        Claim held = claim("a", "1");
        assertThat(held.tryAcquire(LEASE)).isTrue();
        refusals.set(2);
        cleanup.release("it", new ClaimRelease(held, Duration.ofMillis(1)), LEASE.toNanos());
        assertThat(cleanup.start()).isFalse();
        assertThat(cleanup.isIdle()).isFalse();
        assertThat(cleanup.start()).isTrue();
        assertThat(cleanup.isIdle()).isTrue();
        assertThat(claim("a", "3").tryAcquire(LEASE)).isTrue();
    }

    private static LockEvent event(String lock) {
        return new LockEvent(lock, "memory:", 1, false, Duration.ZERO, Duration.ofNanos(1));
    }

    @Test
    void anEventWithoutThreadIsToldWhenThereIsOneAgain() {
        List<String> heard = new ArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void released(LockEvent event) {
                heard.add(event.lockName());
            }
        };
        EventDispatcher events = new EventDispatcher(List.of(listener), workers);
        refusals.set(1);
        events.tell(() -> event("a"), LockListener::released);
        events.tell(() -> event("b"), LockListener::released);
        assertThat(heard).isEmpty();
        assertThat(events.start()).isTrue();
        assertThat(heard).containsExactly("a", "b");
    }

    /** The timer waits for the end of a lease, which may be far away, when a thread is refused. */
    @Test
    void whatFoundNoThreadIsStartedAgainSoonAndNotOnlyWithTheNextAlarm() throws Exception {
        ManualTicker ticker = new ManualTicker();
        WorkQueue steps = new WorkQueue(workers, 1, "test");
        LeaseServices services = LeaseServices.of(
                backend,
                ticker,
                "memory:",
                LEASE,
                0.01,
                new EventDispatcher(List.of(), workers),
                workers,
                workers,
                new WorkQueue(workers, 1, "an interrupt"),
                steps);
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

    /** To be refused a thread takes milliseconds, and leases that have to be renewed wait for the timer. */
    @Test
    void theTimerIsRefusedAThreadOnceAndNotOnceForEachLossThatIsToBeTold() {
        ManualTicker ticker = new ManualTicker();
        AtomicInteger attempts = new AtomicInteger();
        Executor none = task -> {
            attempts.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
        };
        EventDispatcher events = new EventDispatcher(List.of(), none);
        LeaseServices services = LeaseServices.of(
                backend,
                ticker,
                "memory:",
                LEASE,
                0.01,
                events,
                none,
                none,
                new WorkQueue(none, 1, "an interrupt"),
                new WorkQueue(none, 1, "test"));
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
}
