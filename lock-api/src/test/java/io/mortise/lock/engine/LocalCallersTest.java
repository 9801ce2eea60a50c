// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the callers of one client that want the same lock are told, and in which order they get it. */
@Timeout(30)
class LocalCallersTest {
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(30));

    private final PausingTicker ticker = new PausingTicker();
    private final MemoryStore memory = new MemoryStore(ticker);
    private final ThrowingStore store = new ThrowingStore(new MemoryBackend(memory));
    private final LockClient locks = LockClient.builder(store)
            .ticker(ticker)
            .callTimeout(Duration.ofMillis(300))
            .options(OPTIONS)
            .build();
    private final LockClient other =
            LockClient.builder(new MemoryBackend(memory)).ticker(ticker).build();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<BackgroundCall<?>> started = new ArrayList<>();

    /** Time that is driven by hand, in which one thread can be held up when it wakes, as by a long pause of its host. */
    private static final class PausingTicker implements Ticker {
        final ManualTicker time = new ManualTicker();
        final CountDownLatch resumed = new CountDownLatch(1);
        volatile @Nullable Thread paused;

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public long wallMillis() {
            return time.wallMillis();
        }

        @Override
        public void parkUntil(Object blocker, long until) {
            time.parkUntil(blocker, until);
            if (Thread.currentThread() == paused) {
                uninterruptibly(resumed);
            }
        }
    }

    @AfterEach
    void close() {
        gate.countDown();
        ticker.resumed.countDown();
        store.heal();
        started.forEach(call -> call.thread().interrupt());
        locks.close();
        other.close();
    }

    private static void uninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private <T> BackgroundCall<T> start(Callable<T> call) {
        BackgroundCall<T> background = BackgroundCall.start(call);
        started.add(background);
        return background;
    }

    private void storeIsDead() {
        store.always(Call.TRY, () -> {
            throw new BackendException("no answer", null);
        });
        store.always(Call.RELEASE, () -> {
            throw new BackendException("no answer", null);
        });
    }

    /** Lets time pass until all calls have ended. */
    private void passUntilDone(List<? extends BackgroundCall<?>> calls) {
        long start = System.nanoTime();
        while (!calls.stream().allMatch(BackgroundCall::isDone) && System.nanoTime() - start < 10_000_000_000L) {
            ticker.time.advance(Duration.ofMillis(50));
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Ten single tries at once, of which one asks the store, where it stays until all are there. */
    private List<BackgroundCall<Optional<Lease>>> tenTries(Runnable atStore) {
        store.always(Call.TRY, () -> {
            uninterruptibly(gate);
            atStore.run();
        });
        List<BackgroundCall<Optional<Lease>>> tries = new ArrayList<>();
        tries.add(start(locks.lock("a")::tryAcquire));
        await().until(() -> store.calls(Call.TRY) == 1);
        for (int i = 1; i < 10; i++) {
            tries.add(start(locks.lock("a")::tryAcquire).awaitWaiting());
        }
        gate.countDown();
        return tries;
    }

    @Test
    void noTryIsToldBusyByTheSilenceOfTheStore() throws Exception {
        List<BackgroundCall<Optional<Lease>>> tries = tenTries(() -> {
            throw new BackendException("no answer", null);
        });
        passUntilDone(tries);
        for (BackgroundCall<Optional<Lease>> call : tries) {
            assertThat(call.failure()).isInstanceOf(LockStoreException.class);
        }
    }

    @Test
    void everyTryIsToldBusyWhereOthersHoldTheLock() throws Exception {
        Lease held = other.lock("a").acquire();
        for (BackgroundCall<Optional<Lease>> call : tenTries(() -> {})) {
            assertThat(call.get()).isEmpty();
        }
        assertThat(held.release()).isTrue();
    }

    @Test
    void oneTryGetsAFreeLockAndTheOthersAreToldBusy() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (BackgroundCall<Optional<Lease>> call : tenTries(() -> {})) {
            call.get().ifPresent(leases::add);
        }
        assertThat(leases).singleElement().matches(Lease::isHeld);
    }

    @Test
    void noAsynchronousTryIsToldBusyByTheSilenceOfTheStore() {
        storeIsDead();
        List<CompletableFuture<Optional<Lease>>> tries = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            tries.add(locks.lock("a").tryAcquireAsync(Duration.ZERO));
        }
        await().until(() -> {
            ticker.time.advance(Duration.ofMillis(50));
            return tries.stream().allMatch(CompletableFuture::isDone);
        });
        for (CompletableFuture<Optional<Lease>> call : tries) {
            assertThat(call.handle((lease, failure) ->
                                    failure instanceof CompletionException ? failure.getCause() : failure)
                            .join())
                    .isInstanceOf(LockStoreException.class);
        }
    }

    @Test
    void noViewIsToldBusyByTheSilenceOfTheStore() throws Exception {
        storeIsDead();
        BackgroundCall<Lease> waiter = start(locks.lock("a")::acquire);
        await().until(() -> store.calls(Call.TRY) > 0);
        BackgroundCall<Boolean> view = start(locks.lock("a").asLock()::tryLock);
        passUntilDone(List.of(view));
        assertThat(view.failure()).isInstanceOf(LockStoreException.class);
        waiter.thread().interrupt();
    }

    @Test
    void aTimedTryBehindAWaiterWithoutAnswerIsNotToldBusy() throws Exception {
        storeIsDead();
        BackgroundCall<Lease> waiter = start(locks.lock("a")::acquire);
        await().until(() -> store.calls(Call.TRY) > 0);
        BackgroundCall<Optional<Lease>> timed =
                start(() -> locks.lock("a").tryAcquire(Duration.ofSeconds(1))).awaitWaiting();
        passUntilDone(List.of(timed));
        assertThat(timed.failure()).isInstanceOf(LockStoreException.class);
        waiter.thread().interrupt();
    }

    @Test
    void aLimitedWaitBehindAWaiterWithoutAnswerDoesNotSayThatOthersHoldTheLock() throws Exception {
        storeIsDead();
        BackgroundCall<Lease> waiter = start(locks.lock("a")::acquire);
        await().until(() -> store.calls(Call.TRY) > 0);
        LockOptions limited = OPTIONS.withMaxWait(Duration.ofSeconds(1));
        BackgroundCall<Lease> behind = start(locks.lock("a", limited)::acquire).awaitWaiting();
        passUntilDone(List.of(behind));
        assertThat(behind.failure()).isInstanceOf(LockStoreException.class);
        waiter.thread().interrupt();
    }

    @Test
    void waitsBehindAWaiterThatTheStoreHasRefusedSayThatOthersHoldTheLock() throws Exception {
        Lease held = other.lock("a", OPTIONS.withLease(Duration.ofHours(1))).acquire();
        BackgroundCall<Lease> waiter = start(locks.lock("a")::acquire);
        await().until(() -> store.calls(Call.AFTER_TRY) > 0);
        waiter.awaitWaiting();
        LockOptions limited = OPTIONS.withMaxWait(Duration.ofSeconds(1));
        BackgroundCall<Optional<Lease>> timed =
                start(() -> locks.lock("a").tryAcquire(Duration.ofSeconds(1))).awaitWaiting();
        BackgroundCall<Lease> behind = start(locks.lock("a", limited)::acquire).awaitWaiting();
        BackgroundCall<Optional<Lease>> single = start(locks.lock("a")::tryAcquire);
        passUntilDone(List.of(timed, behind, single));
        assertThat(timed.get()).isEmpty();
        assertThat(single.get()).isEmpty();
        assertThat(behind.failure()).isInstanceOf(LockTimeoutException.class);
        assertThat(held.release()).isTrue();
        assertThat(waiter.get().isHeld()).isTrue();
    }

    @Test
    void aLongWaitInTheLineDoesNotMakeOneLostRequestFatal() throws Exception {
        Lease first = locks.lock("a").acquire();
        BackgroundCall<Lease> waiter = start(locks.lock("a")::acquire).awaitWaiting();
        for (int i = 0; i < 4; i++) {
            ticker.time.advance(Duration.ofSeconds(10));
            await().until(() -> first.remaining().compareTo(Duration.ofSeconds(29)) > 0);
        }
        store.plan(Call.TRY, () -> new BackendException("the request was lost", null));
        first.forbidHandOver();
        first.close();
        await().until(store::hasThrownAll);
        passUntilDone(List.of(waiter));
        assertThat(waiter.get().isHeld()).isTrue();
    }

    @Test
    void aLostNudgeCostsFiveSecondsBesideAFreeLock() throws Exception {
        store.loseNudges();
        Lease held = other.lock("a").acquire();
        BackgroundCall<Lease> waiter = start(locks.lock("a")::acquire);
        await().until(() -> store.calls(Call.AFTER_TRY) == 1);
        waiter.awaitWaiting();
        held.close();
        ticker.time.advance(Duration.ofMillis(5_100));
        assertThat(waiter.get().isHeld()).isTrue();
    }

    @Test
    void aWaiterAsksTheStoreSeldomWhileOthersHoldTheLock() throws Exception {
        Lease held = other.lock("a", OPTIONS.withLease(Duration.ofHours(1))).acquire();
        BackgroundCall<Lease> waiter = start(locks.lock("a")::acquire);
        await().until(() -> store.calls(Call.AFTER_TRY) == 1);
        for (int i = 0; i < 60; i++) {
            waiter.awaitWaiting();
            ticker.time.advance(Duration.ofSeconds(1));
        }
        assertThat(store.calls(Call.TRY)).isBetween(1, 20);
        held.close();
        assertThat(waiter.get().isHeld()).isTrue();
    }

    @Test
    void aWaiterWhoseLeaseWasLostOnTheWayKeepsItsPlaceInTheLine() throws Exception {
        LockOptions brief = OPTIONS.withRenewal(false);
        List<String> order = new CopyOnWriteArrayList<>();
        Lease first = locks.lock("a", brief).acquire();
        List<BackgroundCall<Boolean>> waiters = new ArrayList<>();
        for (String name : List.of("one", "two", "three")) {
            waiters.add(start(() -> {
                        Lease lease = locks.lock("a", brief).acquire();
                        order.add(name);
                        return lease.release();
                    })
                    .awaitWaiting());
        }
        ticker.paused = waiters.get(0).thread();
        first.close();
        ticker.time.advance(Duration.ofSeconds(31));
        // The others may not overtake; they get the time to do it.
        long start = System.nanoTime();
        while (order.isEmpty() && System.nanoTime() - start < 300_000_000L) {
            LockSupport.parkNanos(1_000_000);
        }
        ticker.paused = null;
        ticker.resumed.countDown();
        passUntilDone(waiters);
        for (BackgroundCall<Boolean> waiter : waiters) {
            waiter.get();
        }
        assertThat(order).containsExactly("one", "two", "three");
    }

    /** A waiter that was handed a lease, and is held up until the lease is lost. */
    private BackgroundCall<Lease> waiterWhoseLeaseIsLostOnTheWay(LockOptions brief) throws Exception {
        Lease first = locks.lock("a", brief).acquire();
        BackgroundCall<Lease> waiter =
                start(() -> locks.lock("a", brief).acquire()).awaitWaiting();
        ticker.paused = waiter.thread();
        first.close();
        storeIsDead();
        ticker.time.advance(Duration.ofSeconds(31));
        await().until(() -> store.calls(Call.RELEASE) > 0);
        return waiter;
    }

    @Test
    void aTryBehindALeaseThatWasLostOnTheWayIsNotToldBusyByTheSilenceOfTheStore() throws Exception {
        LockOptions brief = OPTIONS.withRenewal(false);
        BackgroundCall<Lease> waiter = waiterWhoseLeaseIsLostOnTheWay(brief);
        BackgroundCall<Optional<Lease>> single = start(locks.lock("a", brief)::tryAcquire);
        passUntilDone(List.of(single));
        assertThat(waiter.isDone()).isFalse();
        assertThat(single.failure()).isInstanceOf(LockStoreException.class);
    }

    @Test
    void aTryBehindALeaseThatWasLostOnTheWayGetsTheNextAnswerOfTheStore() throws Exception {
        LockOptions brief = OPTIONS.withRenewal(false);
        BackgroundCall<Lease> waiter = waiterWhoseLeaseIsLostOnTheWay(brief);
        Lease held = other.lock("a", OPTIONS.withLease(Duration.ofHours(1))).acquire();
        BackgroundCall<Optional<Lease>> single =
                start(locks.lock("a", brief)::tryAcquire).awaitWaiting();
        assertThat(single.isDone()).isFalse();
        store.heal();
        ticker.paused = null;
        ticker.resumed.countDown();
        assertThat(single.get()).isEmpty();
        assertThat(held.release()).isTrue();
        passUntilDone(List.of(waiter));
        assertThat(waiter.get().isHeld()).isTrue();
    }

    @Test
    void aThreadThatWaitsForItselfIsWarnedOnce() throws Exception {
        Logger logger = Logger.getLogger("io.mortise.lock");
        List<LogRecord> records = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
                    records.add(record);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger acquisitions = Logger.getLogger("io.mortise.lock.engine.acquisition.Acquisition");
        Level levelBefore = acquisitions.getLevel();
        try {
            // Other tests turn the engine's log off.
            acquisitions.setLevel(Level.WARNING);
            logger.addHandler(handler);
            BackgroundCall<Optional<Lease>> nested = start(() -> {
                try (Lease outer = locks.lock("nested").acquire()) {
                    Optional<Lease> inner = locks.lock("nested").tryAcquire(Duration.ofSeconds(10));
                    assertThat(outer.isHeld()).isTrue();
                    return inner;
                }
            });
            await().until(() -> store.calls(Call.AFTER_TRY) == 1);
            nested.awaitWaiting();
            passUntilDone(List.of(nested));
            assertThat(nested.get()).isEmpty();
        } finally {
            logger.removeHandler(handler);
            acquisitions.setLevel(levelBefore);
        }
        assertThat(records).singleElement().satisfies(record -> assertThat(
                        new java.util.logging.SimpleFormatter().formatMessage(record))
                .contains("nested"));
    }
}
