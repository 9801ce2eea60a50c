// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever holds a lock learns that the client was closed, before anybody else gets the lock. */
@Timeout(30)
class ClosingTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore memory = new MemoryStore(ticker);
    private final ThrowingStore store = new ThrowingStore(new MemoryBackend(memory));
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final LockClient locks = LockClient.builder(store)
            .ticker(ticker)
            .callTimeout(Duration.ofMillis(200))
            .listener(new LockListener() {
                @Override
                public void lost(LockEvent event, Loss loss) {
                    events.add("lost " + event.lockName() + " " + loss.cause());
                }

                @Override
                public void released(LockEvent event) {
                    events.add("released " + event.lockName());
                }
            })
            .build();
    private final LockClient other =
            LockClient.builder(new MemoryBackend(memory)).ticker(ticker).build();
    private final List<Loss> losses = new CopyOnWriteArrayList<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @AfterEach
    void close() {
        mayEnd.countDown();
        memory.resume();
        store.heal();
        locks.close();
        other.close();
    }

    /** A task that runs under lock a until it may end. */
    private BackgroundCall<String> running() throws InterruptedException {
        BackgroundCall<String> task =
                BackgroundCall.start(() -> locks.lock("a").<String, InterruptedException>call(l -> {
                    entered.countDown();
                    mayEnd.await();
                    return "done";
                }));
        entered.await();
        return task;
    }

    private static void closedUnder(Throwable failure) {
        assertThat(failure).isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(
                        lost.loss().cause())
                .isEqualTo(LossCause.CLIENT_CLOSED));
    }

    @Test
    void aRunningTaskIsInterruptedAndItsCallerToldOfTheLoss() throws Exception {
        BackgroundCall<String> task = running();
        locks.close();
        Throwable failure = task.failure();
        closedUnder(failure);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(InterruptedException.class);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void listenersAreToldOnceAndTheLeaseAnswersThatItWasLost() throws Exception {
        Lease lease = locks.lock("a").acquire().onLost(losses::add);
        locks.close();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.release()).isFalse();
        closedUnder(catchThrowable(lease::ensureHeld));
        await().untilAsserted(
                        () -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.CLIENT_CLOSED));
        await().untilAsserted(() -> assertThat(events).containsExactly("lost a CLIENT_CLOSED"));
    }

    @Test
    void closingALeaseThatTheClientsEndHasTakenThrows() throws Exception {
        Lease lease = locks.lock("a").acquire();
        locks.close();
        closedUnder(catchThrowable(lease::close));
    }

    @Test
    void theLastUnlockTellsThatTheClientWasClosedInside() {
        DistributedReentrantLock view = locks.lock("a").asLock();
        view.lock();
        view.lock();
        locks.close();
        closedUnder(catchThrowable(view::unlock));
        closedUnder(catchThrowable(view::unlock));
        assertThat(view.holdCount()).isZero();
    }

    @Test
    void noLockIsFreedBeforeItsHolderKnows() throws Exception {
        Lease lease = locks.lock("a").acquire();
        AtomicBoolean heldAtRelease = new AtomicBoolean();
        store.always(Call.RELEASE, () -> heldAtRelease.compareAndSet(false, lease.isHeld()));
        locks.close();
        assertThat(store.calls(Call.RELEASE)).isPositive();
        assertThat(heldAtRelease).isFalse();
    }

    @Test
    void noLeaseIsHeldAfterTheEndOfAClientWhoseStoreDoesNotAnswer() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            leases.add(locks.lock("lock " + i).acquire().onLost(losses::add));
        }
        store.always(Call.RELEASE, () -> {
            ticker.advance(Duration.ofMillis(200));
            throw new BackendException("no answer", null);
        });
        locks.close();
        assertThat(leases).noneMatch(Lease::isHeld);
        await().untilAsserted(() ->
                assertThat(losses).hasSize(5).extracting(Loss::cause).containsOnly(LossCause.CLIENT_CLOSED));
        ticker.advance(Duration.ofSeconds(31));
        assertThat(leases).noneMatch(Lease::isHeld);
        assertThat(losses).as("told once").hasSize(5);
    }

    @Test
    void whatWasReleasedBeforeIsNoLoss() throws Exception {
        Lease lease = locks.lock("a").acquire().onLost(losses::add);
        assertThat(lease.release()).isTrue();
        locks.close();
        assertThat(lease.release()).isTrue();
        lease.close();
        await().untilAsserted(() -> assertThat(events).containsExactly("released a"));
        assertThat(losses).isEmpty();
    }

    @Test
    void aGraceLetsWorkEndUnderItsLock() throws Exception {
        BackgroundCall<String> task = running();
        BackgroundCall<Boolean> closing = BackgroundCall.startAction(() -> locks.close(LONG));
        closing.awaitWaiting();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        assertThat(closing.isDone()).isFalse();
        mayEnd.countDown();
        assertThat(task.get()).isEqualTo("done");
        closing.get();
        assertThat(other.lock("a").tryAcquire()).isPresent();
        await().untilAsserted(() -> assertThat(events).containsExactly("released a"));
    }

    @Test
    void inTheGraceNobodyGetsALock() throws Exception {
        BackgroundCall<Lease> waiting;
        BackgroundCall<String> task = running();
        waiting = BackgroundCall.start(locks.lock("a")::acquire).awaitWaiting();
        var known = locks.lock("b");
        BackgroundCall<Boolean> closing = BackgroundCall.startAction(() -> locks.close(LONG));
        assertThat(waiting.failure()).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(known::tryAcquire).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(known::acquire).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(() -> locks.lock("c")).isInstanceOf(LockClosedException.class);
        assertThat(task.isDone()).isFalse();
        mayEnd.countDown();
        assertThat(task.get()).isEqualTo("done");
        closing.get();
    }

    @Test
    void inTheGraceLeasesAreRenewed() throws Exception {
        Lease lease = locks.lock("a").acquire().onLost(losses::add);
        BackgroundCall<Boolean> closing = BackgroundCall.startAction(() -> locks.close(LONG));
        closing.awaitWaiting();
        for (int i = 0; i < 6; i++) {
            ticker.advance(Duration.ofSeconds(10));
            await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(29)) > 0);
        }
        assertThat(lease.release()).isTrue();
        closing.get();
        assertThat(losses).isEmpty();
    }

    @Test
    void whatIsHeldAfterTheGraceIsLost() throws Exception {
        try (LockClient real = LockClient.builder(new MemoryBackend(memory)).build()) {
            BackgroundCall<Boolean> task =
                    BackgroundCall.startAction(() -> real.lock("r").run(lease -> {
                        lease.onLost(losses::add);
                        entered.countDown();
                        mayEnd.await();
                    }));
            entered.await();
            real.close(Duration.ofMillis(50));
            closedUnder(task.failure());
        }
        await().untilAsserted(
                        () -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.CLIENT_CLOSED));
        assertThat(other.lock("r").tryAcquire()).isPresent();
    }

    @Test
    void anInterruptEndsTheGraceAndIsKept() throws Exception {
        Lease lease = locks.lock("a").acquire().onLost(losses::add);
        BackgroundCall<Boolean> closing = BackgroundCall.start(() -> {
            locks.close(LONG);
            return Thread.interrupted();
        });
        closing.awaitWaiting();
        closing.thread().interrupt();
        assertThat(closing.get()).as("the interrupt flag").isTrue();
        assertThat(lease.isHeld()).isFalse();
        await().untilAsserted(
                        () -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.CLIENT_CLOSED));
    }

    @Test
    void aCloseBesideAnotherWaitsForItsEnd() throws Exception {
        Lease lease = locks.lock("a").acquire();
        CountDownLatch releasing = new CountDownLatch(1);
        store.always(Call.RELEASE, () -> {
            releasing.countDown();
            uninterruptibly(mayEnd);
        });
        BackgroundCall<Boolean> releaser = BackgroundCall.start(lease::release);
        releasing.await();
        BackgroundCall<Boolean> first = BackgroundCall.startAction(() -> locks.close(LONG));
        first.awaitWaiting();
        BackgroundCall<Boolean> second = BackgroundCall.startAction(() -> locks.close(LONG));
        second.awaitWaiting();
        assertThat(second.isDone()).isFalse();
        mayEnd.countDown();
        assertThat(releaser.get()).isTrue();
        first.get();
        second.get();
    }

    /** A call whose question to the store fails when the client is being closed and its time is over. */
    private <T> BackgroundCall<T> closedDuring(Callable<T> call) {
        CountDownLatch asked = new CountDownLatch(1);
        store.always(Call.TRY, () -> {
            asked.countDown();
            uninterruptibly(mayEnd);
            throw new BackendException("no answer", null);
        });
        BackgroundCall<T> caller = BackgroundCall.start(call);
        uninterruptibly(asked);
        BackgroundCall<Boolean> closing = BackgroundCall.startAction(locks::close);
        await().until(() -> catchThrowable(() -> locks.lock("b")) instanceof LockClosedException);
        ticker.advance(Duration.ofSeconds(2));
        mayEnd.countDown();
        await().until(closing::isDone);
        return caller;
    }

    @Test
    void aTryThatTheStoreDoesNotAnswerWhenTheClientIsClosedSaysThatItIsClosed() throws Exception {
        assertThat(closedDuring(locks.lock("a")::tryAcquire).failure()).isInstanceOf(LockClosedException.class);
    }

    @Test
    void aTimedWaitWhoseLastQuestionIsUnansweredWhenTheClientIsClosedSaysThatItIsClosed() throws Exception {
        assertThat(closedDuring(() -> locks.lock("a").tryAcquire(Duration.ofSeconds(1)))
                        .failure())
                .isInstanceOf(LockClosedException.class);
    }

    @Test
    void aTaskThatGoesOnWithoutAnswerDoesNotRunWhenTheClientIsClosed() throws Exception {
        LockOptions goesOn = LockOptions.defaults().withGoOnWithoutAnswer(true);
        AtomicBoolean ran = new AtomicBoolean();
        BackgroundCall<Boolean> task =
                closedDuring(() -> locks.lock("a", goesOn).tryRun(lease -> ran.set(true)));
        await().until(task::isDone);
        assertThat(ran).isFalse();
        assertThat(task.failure()).isInstanceOf(LockClosedException.class);
    }

    @Test
    void aGraceMustNotBeNegative() {
        assertThatThrownBy(() -> locks.close(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThat(locks.lock("a", LockOptions.defaults()).tryAcquire()).isPresent();
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its step is in the store for longer than the end of the client waits, so that the end itself completes it. */
    @Test
    void whatDependsOnAFutureThatTheCloseCompletesMayCloseTheClientToo() throws Exception {
        store.always(Call.TRY, () -> uninterruptibly(mayEnd));
        LockClient closedInside = LockClient.builder(store)
                .ticker(ticker)
                .callTimeout(Duration.ofMillis(200))
                .build();
        CompletableFuture<Lease> leftover = closedInside.lock("a").acquireAsync();
        await().until(() -> store.calls(Call.TRY) == 1);
        CompletableFuture<Throwable> dependent = leftover.handle((lease, failure) -> {
            closedInside.close();
            return failure;
        });
        BackgroundCall<Boolean> closing = BackgroundCall.startAction(closedInside::close);
        assertThat(closing.get()).isTrue();
        assertThat(dependent.get(10, TimeUnit.SECONDS)).isInstanceOf(LockClosedException.class);
    }

    /** A store in which nothing releases the locks whose names begin with "hung": such a call takes its whole time. */
    private LockClient withHungShard(AtomicInteger tries) {
        MemoryBackend inner = new MemoryBackend(memory);
        return LockClient.builder(new ForwardingBackend(inner) {
                    @Override
                    public Claim claim(ClaimRequest request, Runnable nudge) {
                        return new ForwardingClaim(inner.claim(request, nudge)) {
                            @Override
                            public boolean release(Duration atMost) {
                                if (!request.lock().startsWith("hung")) {
                                    return super.release(atMost);
                                }
                                tries.incrementAndGet();
                                LockSupport.parkNanos(this, atMost.toNanos());
                                throw new BackendException("no answer in " + atMost, null);
                            }
                        };
                    }
                })
                .callTimeout(Duration.ofMillis(200))
                .build();
    }

    @Test
    void aShardThatHangsKeepsNoLockOfAnotherFromBeingReleased() throws Exception {
        LockClient sharded = withHungShard(new AtomicInteger());
        for (int i = 0; i < 20; i++) {
            for (String shard : List.of("hung ", "well ")) {
                Lease unused = sharded.lock(shard + i).acquire();
            }
        }
        sharded.close();
        assertThat(IntStream.range(0, 20)
                        .filter(i -> other.lock("well " + i).tryAcquire().isEmpty()))
                .as("still locked")
                .isEmpty();
    }

    /** One after the other these would take half a minute, and eight at a time ten seconds. */
    @Test
    void aStoreThatHangsHoldsUpTheCloseForAFewCallTimeoutsAndNotForEachLock() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        LockClient hung = withHungShard(tries);
        for (int i = 0; i < 400; i++) {
            Lease unused = hung.lock("hung " + i).acquire();
        }
        hung.close();
        assertThat(tries).hasValueBetween(9, 200);
    }

    @Test
    void aLossThatIsBeingSettledIsReleasedBeforeTheEnd() throws Exception {
        LockClient patient = LockClient.builder(new MemoryBackend(memory))
                .ticker(ticker)
                .callTimeout(Duration.ofSeconds(20))
                .build();
        LeaseHandle lease = (LeaseHandle) patient.lock("a").acquire();
        lease.held().atLoss(() -> {
            entered.countDown();
            uninterruptibly(mayEnd);
        });
        BackgroundCall<Boolean> losing =
                BackgroundCall.startAction(() -> lease.held().revokedNow("a test"));
        entered.await();
        BackgroundCall<Boolean> closing =
                BackgroundCall.startAction(patient::close).awaitWaiting();
        mayEnd.countDown();
        losing.get();
        closing.get();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }
}
