// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LeaseTask;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.testing.ManualTicker;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everybody who has to do with a lease learns how it ended, and nobody too early. */
@Timeout(30)
class LeaseEndTest {
    private static final LockOptions OPTIONS =
            LockOptions.defaults().withLease(Duration.ofSeconds(30)).withRenewal(false);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore memory = new MemoryStore(ticker);
    private final ThrowingStore store = new ThrowingStore(new MemoryBackend(memory));
    private final LockClient locks =
            LockClient.builder(store).ticker(ticker).options(OPTIONS).build();
    private final LockClient other =
            LockClient.builder(new MemoryBackend(memory)).ticker(ticker).build();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        store.heal();
        locks.close();
        other.close();
    }

    @Test
    void aReleaseByAListenerDoesNotMakeTheWorkersCloseSilent() throws Exception {
        CountDownLatch released = new CountDownLatch(2);
        Lease lease = locks.lock("a")
                .acquire()
                .onLost(loss -> released.countDown())
                .whenLost((lost, loss) -> {
                    lost.release();
                    released.countDown();
                });
        ticker.advance(Duration.ofSeconds(31));
        released.await();
        assertThat(lease.release()).isFalse();
        Lease second = locks.lock("b").acquire();
        CountDownLatch direct = new CountDownLatch(1);
        second.onLost(loss -> {
            second.release();
            direct.countDown();
        });
        ticker.advance(Duration.ofSeconds(31));
        direct.await();
        assertThatThrownBy(second::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void aReleaseByAnotherThreadDoesNotMakeTheWorkersCloseSilent() throws Exception {
        Lease lease = locks.lock("a").acquire();
        ticker.advance(Duration.ofSeconds(31));
        assertThat(BackgroundCall.start(lease::release).get()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void aCloseBesideAReleaseWaitsForItsEnd() throws Exception {
        Lease lease = locks.lock("a").acquire();
        CountDownLatch releasing = new CountDownLatch(1);
        store.always(Call.RELEASE, () -> {
            releasing.countDown();
            await(gate);
        });
        BackgroundCall<Boolean> releaser = BackgroundCall.start(lease::release);
        releasing.await();
        BackgroundCall<Boolean> closer =
                BackgroundCall.startAction(lease::close).awaitWaiting();
        assertThat(closer.isDone()).isFalse();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        gate.countDown();
        assertThat(releaser.get()).isTrue();
        closer.get();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread that knows whether others have interrupted it, also while its flag was set. */
    private static final class Interruptible extends Thread {
        private volatile boolean byOthers;

        private Interruptible(Runnable body) {
            super(body, "interruptible");
            setDaemon(true);
        }

        @Override
        public void interrupt() {
            super.interrupt();
            if (Thread.currentThread() != this) {
                byOthers = true;
            }
        }
    }

    /** Lets the lease of a task be lost, and waits until the task's thread was interrupted for it. */
    private void lose() {
        ticker.advance(Duration.ofSeconds(31));
        while (!((Interruptible) Thread.currentThread()).byOthers) {
            Thread.onSpinWait();
        }
    }

    /** Runs a task that loses its lease, and answers whether the flag is set afterwards. */
    private boolean isInterruptedAfter(LeaseTask<InterruptedException> task) throws Exception {
        FutureTask<Boolean> run = new FutureTask<>(() -> {
            assertThatThrownBy(() -> locks.lock("a").run(task))
                    .isInstanceOf(LockLostException.class)
                    .satisfies(lost -> assertThat(lost.getSuppressed())
                            .allSatisfy(thrown -> assertThat(thrown).isInstanceOf(InterruptedException.class)));
            return Thread.interrupted();
        });
        new Interruptible(run).start();
        return run.get(20, TimeUnit.SECONDS);
    }

    @Test
    void anInterruptOfTheApplicationBeforeThatOfALossOutlivesTheTask() throws Exception {
        assertThat(isInterruptedAfter(lease -> {
                    Thread.currentThread().interrupt();
                    lose();
                }))
                .isTrue();
    }

    @Test
    void theInterruptOfALossDoesNotOutliveTheTask() throws Exception {
        assertThat(isInterruptedAfter(lease -> {
                    lose();
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }))
                .isFalse();
    }

    /** Nothing tells it from the interrupt of the loss that the task sets again. */
    @Test
    void anInterruptOfTheApplicationAfterThatOfALossEndsWithATaskThatReturns() throws Exception {
        assertThat(isInterruptedAfter(lease -> {
                    lose();
                    assertThat(Thread.interrupted()).as("of the loss").isTrue();
                    Thread.currentThread().interrupt();
                }))
                .isFalse();
    }

    @Test
    void anInterruptOfTheApplicationAfterThatOfALossOutlivesATaskThatEndsInterrupted() throws Exception {
        assertThat(isInterruptedAfter(lease -> {
                    lose();
                    try {
                        gate.await();
                    } finally {
                        Thread.currentThread().interrupt();
                    }
                }))
                .isTrue();
    }

    @Test
    void aHostThatStoodStillNearTheEndOfALeaseHoldsNothing() throws Exception {
        Lease lease = locks.lock("a").acquire();
        ticker.suspend(Duration.ofMillis(950));
        ticker.advance(Duration.ofMillis(28_900));
        assertThat(lease.isHeld())
                .as("29.85 of 30 seconds are over by the wall clock")
                .isFalse();
    }

    @Test
    void aLeaseThatEndedWhileTheHostWasSuspendedIsLostSoonAfterThat() throws Exception {
        CountDownLatch lost = new CountDownLatch(2);
        Lease lease = locks.lock("a").acquire().onLost(loss -> lost.countDown());
        Lease extended = locks.lock("b").acquire().onLost(loss -> lost.countDown());
        assertThat(extended.extend(Duration.ofHours(1))).isGreaterThan(Duration.ofMinutes(59));
        ticker.awaitParked(1);
        ticker.suspend(Duration.ofHours(2));
        ticker.advance(Duration.ofSeconds(1));
        lost.await();
        assertThat(List.of(lease, extended)).noneMatch(Lease::isHeld);
    }

    @Test
    void aSmallStepOfTheWallClockLosesNoLock() throws Exception {
        Lease lease = locks.lock("a").acquire();
        Duration before = lease.remaining();
        for (int i = 0; i < 5; i++) {
            ticker.suspend(Duration.ofMillis(50));
            assertThat(lease.remaining()).isBetween(before.minusMillis(50L * (i + 1)), before);
        }
        assertThat(lease.isHeld()).isTrue();
        Duration shortened = lease.remaining();
        ticker.suspend(Duration.ofHours(-1));
        assertThat(lease.remaining())
                .as("a wall clock that is set back adds nothing")
                .isBetween(shortened, before);
    }

    @Test
    void aCallTimeoutOfCenturiesWorks() throws Exception {
        MemoryStore own = new MemoryStore(ticker);
        try (LockClient patient = LockClient.builder(new MemoryBackend(own))
                .ticker(ticker)
                .callTimeout(Duration.ofSeconds(Long.MAX_VALUE))
                .build()) {
            Lease lease = patient.lock("a").acquire();
            ticker.advance(Duration.ofSeconds(10));
            Awaitility.await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(29)) > 0);
            assertThat(patient.lock("a").holder()).isPresent();
            assertThat(patient.lock("b").tryAcquire()).isPresent();
            assertThat(patient.lock("b").tryAcquire()).isEmpty();
            assertThat(lease.release()).isTrue();
        }
    }

    @Test
    void tokensRiseAfterARevocationBesideAHandOver() throws Exception {
        LockOptions renewed = OPTIONS.withRenewal(true);
        Lease revoked = locks.lock("a", renewed).acquire();
        BackgroundCall<Lease> waiter =
                BackgroundCall.start(locks.lock("a", renewed)::acquire).awaitWaiting();
        assertThat(locks.lock("a").revokeNow("dead")).isTrue();
        BackgroundCall<Lease> stranger = BackgroundCall.start(other.lock("a")::acquire);
        // One of them gets the freed lock from the store.
        Awaitility.await().until(() -> stranger.isDone() || waiter.isDone());
        revoked.release();
        boolean strangerFirst = stranger.isDone();
        Lease first = (strangerFirst ? stranger : waiter).get();
        long token = first.fencingToken();
        assertThat(token).isGreaterThan(revoked.fencingToken());
        first.close();
        Lease second = (strangerFirst ? waiter : stranger).get();
        assertThat(second.fencingToken()).isGreaterThan(token);
    }

    @Test
    void tokensRiseAfterAnotherClientHasRevokedALockWithWaiters() throws Exception {
        MemoryStore own = new MemoryStore(Ticker.system());
        try (LockClient victims = LockClient.builder(new MemoryBackend(own)).build();
                LockClient operator = LockClient.builder(new MemoryBackend(own)).build()) {
            Lease revoked = victims.lock("a").acquire();
            BackgroundCall<Lease> waiter =
                    BackgroundCall.start(victims.lock("a")::acquire).awaitWaiting();
            assertThat(operator.lock("a").revokeNow("dead")).isTrue();
            Lease between = operator.lock("a").tryAcquire().orElseThrow();
            assertThat(revoked.release()).isFalse();
            between.close();
            assertThat(waiter.get().fencingToken()).isGreaterThan(between.fencingToken());
        }
    }

    @Test
    void whoeverGetsTheLockFromARevokedHolderKeepsIt() throws Exception {
        MemoryStore own = new MemoryStore(Ticker.system());
        try (LockClient victims = LockClient.builder(new MemoryBackend(own)).build();
                LockClient operator = LockClient.builder(new MemoryBackend(own)).build()) {
            Lease revoked = victims.lock("a").acquire();
            BackgroundCall<Boolean> revocation =
                    BackgroundCall.start(() -> operator.lock("a").revokeNow("dead"));
            Awaitility.await().until(() -> victims.lock("a")
                    .holder()
                    .flatMap(LockHolder::revocationReason)
                    .isPresent());
            assertThat(revoked.release()).isTrue();
            Lease next = victims.lock("a").acquire();
            assertThat(revocation.get()).isTrue();
            assertThat(next.release()).isTrue();
        }
    }

    @Test
    void aThreadThatRevokesAtOnceKeepsItsInterrupt() throws Exception {
        locks.lock("a").acquire();
        Thread.currentThread().interrupt();
        boolean revoked = other.lock("a").revokeNow("dead");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(revoked).isTrue();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aLeaseThatLearnsThatOthersHaveRevokedItIsNotHandedOver() throws Exception {
        LockOptions renewed = OPTIONS.withRenewal(true);
        Lease revoked = locks.lock("a", renewed).acquire();
        BackgroundCall<Lease> waiter =
                BackgroundCall.start(locks.lock("a", renewed)::acquire).awaitWaiting();
        assertThat(other.lock("a").revokeNow("dead")).isTrue();
        Lease between = other.lock("a").acquire();
        ticker.advance(Duration.ofSeconds(10));
        Awaitility.await().until(() -> !revoked.isHeld());
        assertThat(revoked.release()).isFalse();
        assertThat(waiter.isDone()).isFalse();
        between.close();
        assertThat(waiter.get().fencingToken()).isGreaterThan(between.fencingToken());
    }

    @Test
    void nothingIsRememberedOfAThreadThatEndedInsideWithoutRenewal() throws Exception {
        WeakReference<Thread> ended = endedInside();
        ticker.advance(Duration.ofSeconds(31));
        Awaitility.await().until(() -> {
            System.gc();
            ticker.advance(Duration.ofSeconds(1));
            return ended.refersTo(null);
        });
        assertThat(locks.lock("a").tryAcquire()).isPresent();
    }

    private WeakReference<Thread> endedInside() throws InterruptedException {
        Thread thread = new Thread(() -> locks.lock("a").asLock().lock());
        thread.start();
        thread.join();
        return new WeakReference<>(thread);
    }

    @Test
    void anInnerUnlockTellsThatTheLeaseHasEndedAndLeavesOnce() {
        DistributedReentrantLock view = locks.lock("a").asLock();
        view.lock();
        view.lock();
        assertThat(view.lease().orElseThrow().release()).isTrue();
        assertThatThrownBy(view::unlock).isInstanceOf(IllegalStateException.class);
        assertThat(view.holdCount()).isEqualTo(1);
        DistributedReentrantLock lost = locks.lock("b").asLock();
        lost.lock();
        lost.lock();
        ticker.advance(Duration.ofSeconds(31));
        assertThatThrownBy(lost::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lost::unlock).isInstanceOf(LockLostException.class);
        assertThat(lost.holdCount()).isZero();
    }

    @Test
    void holdersAreAskedForPageByPageAsTheStreamIsRead() throws Exception {
        AtomicInteger pages = new AtomicInteger();
        ForwardingBackend counting = new ForwardingBackend(new MemoryBackend(memory)) {
            @Override
            public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
                pages.incrementAndGet();
                return super.list(prefix, after, limit, atMost);
            }
        };
        try (LockClient client = LockClient.builder(counting).ticker(ticker).build()) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 1_200; i++) {
                leases.add(client.lock("listed " + i).acquire());
            }
            Stream<LockHolder> unread = client.holders("listed ");
            assertThat(pages).hasValue(0);
            assertThat(unread.findFirst()).isPresent();
            assertThat(pages).hasValue(1);
            assertThat(client.holders("listed ").count()).isEqualTo(leases.size());
        }
    }
}
