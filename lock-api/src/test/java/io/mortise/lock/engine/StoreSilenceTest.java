// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the callers in the line of one client are told, and when, while the store gives answers to some questions or to none. */
@Timeout(60)
class StoreSilenceTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration CALL = Duration.ofSeconds(1);
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(LEASE);

    private final SettlingTicker ticker = new SettlingTicker();
    private final MemoryStore memory = new MemoryStore(ticker);
    private final ThrowingStore store = new ThrowingStore(new MemoryBackend(memory));
    private final LockClient locks = LockClient.builder(store)
            .ticker(ticker)
            .callTimeout(CALL)
            .options(OPTIONS)
            .build();
    private final LockClient other =
            LockClient.builder(new MemoryBackend(memory)).ticker(ticker).build();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<BackgroundCall<?>> started = new ArrayList<>();

    @AfterEach
    void close() {
        gate.countDown();
        store.heal();
        started.forEach(call -> call.thread().interrupt());
        locks.close();
        other.close();
    }

    /** A call that has come as far as it can without time. */
    private <T> BackgroundCall<T> waiting(Callable<T> call) {
        BackgroundCall<T> background = atStore(call);
        ticker.settle(List.of(background));
        return background;
    }

    private <T> BackgroundCall<T> atStore(Callable<T> call) {
        BackgroundCall<T> background = BackgroundCall.start(call);
        started.add(background);
        return background;
    }

    private BackgroundCall<Lease> acquiring() {
        return waiting(locks.lock("a")::acquire);
    }

    private void storeIsDead() {
        for (Call call : List.of(Call.TRY, Call.RELEASE)) {
            store.always(call, () -> {
                throw new BackendException("no answer", null);
            });
        }
    }

    private Lease heldByOthers() throws InterruptedException {
        return other.lock("a", OPTIONS.withLease(Duration.ofHours(1))).acquire();
    }

    /** Stays at the store until the gate opens, or fails with an interrupt. */
    private Throwable failsWhenOpen(Throwable failure) {
        try {
            gate.await();
            return failure;
        } catch (InterruptedException interrupted) {
            return interrupted;
        }
    }

    private void staysUntilOpen() {
        try {
            gate.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void endedWithoutAnswer(BackgroundCall<?> call) throws InterruptedException {
        assertThat(call.failure()).isInstanceOf(LockStoreException.class);
    }

    /** Real time for whoever would end too early; time that is driven by hand stands still. */
    private static void hasTimeToEnd(BackgroundCall<?> call) {
        long start = System.nanoTime();
        while (!call.isDone() && System.nanoTime() - start < 300_000_000L) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void allInLineAreToldAfterOneLeaseOfSilenceAndNotOneAfterTheOther() throws Exception {
        storeIsDead();
        List<BackgroundCall<Lease>> line = List.of(acquiring(), acquiring(), acquiring());
        ticker.pass(LEASE.minusSeconds(1), line);
        assertThat(line).noneMatch(BackgroundCall::isDone);
        ticker.pass(Duration.ofSeconds(1).plus(CALL.multipliedBy(2)), line);
        await().untilAsserted(() -> assertThat(line).allMatch(BackgroundCall::isDone));
        for (BackgroundCall<Lease> call : line) {
            endedWithoutAnswer(call);
        }
        // A store that hangs would cost each of them a call time-out more.
        assertThat(store.calls(Call.CLAIM)).isEqualTo(1);
    }

    @Test
    void whoComesLaterHasOneLeaseOfSilenceFromItsOwnArrival() throws Exception {
        storeIsDead();
        BackgroundCall<Lease> first = acquiring();
        ticker.pass(Duration.ofSeconds(20), List.of(first));
        BackgroundCall<Lease> later = acquiring();
        List<BackgroundCall<Lease>> line = List.of(first, later);
        ticker.pass(Duration.ofSeconds(29), line);
        endedWithoutAnswer(first);
        assertThat(later.isDone()).isFalse();
        ticker.pass(Duration.ofSeconds(1).plus(CALL.multipliedBy(2)), line);
        await().untilAsserted(() -> assertThat(later.isDone()).isTrue());
        endedWithoutAnswer(later);
    }

    @Test
    void anAnswerBeginsTheLeaseOfSilenceAnewForAllInLine() throws Exception {
        Lease held = heldByOthers();
        storeIsDead();
        List<BackgroundCall<Lease>> line = List.of(acquiring(), acquiring(), acquiring());
        ticker.pass(Duration.ofSeconds(20), line);
        store.always(Call.TRY, null);
        while (store.calls(Call.AFTER_TRY) == 0) {
            ticker.pass(Duration.ofMillis(10), line);
        }
        storeIsDead();
        ticker.pass(LEASE.minusSeconds(1), line);
        assertThat(line).noneMatch(BackgroundCall::isDone);
        ticker.pass(Duration.ofSeconds(1).plus(CALL.multipliedBy(2)), line);
        await().untilAsserted(() -> assertThat(line).allMatch(BackgroundCall::isDone));
        for (BackgroundCall<Lease> call : line) {
            endedWithoutAnswer(call);
        }
        assertThat(held.isHeld()).isTrue();
    }

    /** A try in line behind a call whose question an interrupt ends, and which asks again, since it ignores interrupts. */
    private BackgroundCall<Optional<Lease>> behindAnInterruptedQuestion(LockOptions options) throws Exception {
        Lease held = heldByOthers();
        store.plan(Call.TRY, () -> failsWhenOpen(new AssertionError("not interrupted")));
        BackgroundCall<Boolean> first = atStore(() -> locks.lock("a").asLock().tryLock());
        await().until(() -> store.calls(Call.TRY) == 1);
        BackgroundCall<Optional<Lease>> behind = waiting(locks.lock("a", options)::tryAcquire);
        store.always(Call.TRY, this::staysUntilOpen);
        first.thread().interrupt();
        await().until(() -> store.calls(Call.TRY) == 2);
        hasTimeToEnd(behind);
        gate.countDown();
        ticker.pass(Duration.ofMillis(50), List.of(first, behind));
        assertThat(first.get()).isFalse();
        assertThat(held.isHeld()).isTrue();
        return behind;
    }

    @Test
    void aTryBehindAnInterruptedQuestionGetsTheAnswerOfTheNext() throws Exception {
        assertThat(behindAnInterruptedQuestion(OPTIONS).get()).isEmpty();
    }

    @Test
    void aTryBehindAnInterruptedQuestionDoesNotGoOnWithoutTheLock() throws Exception {
        assertThat(behindAnInterruptedQuestion(OPTIONS.withGoOnWithoutAnswer(true))
                        .get())
                .isEmpty();
    }

    @Test
    void aTryBehindAQuestionThatWasLostGetsTheAnswerOfTheNext() throws Exception {
        Lease held = heldByOthers();
        store.plan(Call.TRY, () -> failsWhenOpen(new BackendException("the request was lost", null)));
        BackgroundCall<Lease> first = atStore(locks.lock("a")::acquire);
        await().until(() -> store.calls(Call.TRY) == 1);
        BackgroundCall<Optional<Lease>> behind = waiting(locks.lock("a")::tryAcquire);
        gate.countDown();
        ticker.settle(List.of(first));
        hasTimeToEnd(behind);
        ticker.pass(Duration.ofMillis(50), List.of(first));
        assertThat(store.calls(Call.AFTER_TRY)).isEqualTo(1);
        assertThat(behind.get()).isEmpty();
        assertThat(held.isHeld()).isTrue();
    }

    /** A wait of three seconds behind a call that the store has refused after 0.2 of them. */
    private BackgroundCall<Optional<Lease>> behindARefusal() throws Exception {
        store.always(Call.AFTER_TRY, this::staysUntilOpen);
        BackgroundCall<Lease> first = atStore(locks.lock("a")::acquire);
        await().until(() -> store.calls(Call.AFTER_TRY) == 1);
        BackgroundCall<Optional<Lease>> behind = waiting(() -> locks.lock("a").tryAcquire(Duration.ofSeconds(3)));
        ticker.advance(Duration.ofMillis(200));
        gate.countDown();
        ticker.pass(Duration.ofMillis(100), List.of(first, behind));
        return behind;
    }

    @Test
    void aRefusalBeforeTheStoreFellSilentDoesNotEndALaterWaitAsBusy() throws Exception {
        Lease held = heldByOthers();
        BackgroundCall<Optional<Lease>> behind = behindARefusal();
        storeIsDead();
        ticker.pass(Duration.ofMillis(2_600), List.of(behind));
        assertThat(behind.isDone()).isFalse();
        ticker.pass(CALL.multipliedBy(2), List.of(behind));
        endedWithoutAnswer(behind);
        assertThat(held.isHeld()).isTrue();
    }

    @Test
    void aWaitBehindARefusedCallEndsAsBusyWhileTheStoreAnswers() throws Exception {
        Lease held = heldByOthers();
        BackgroundCall<Optional<Lease>> behind = behindARefusal();
        ticker.pass(Duration.ofMillis(2_600), List.of(behind));
        assertThat(behind.isDone()).isFalse();
        ticker.pass(Duration.ofMillis(200), List.of(behind));
        assertThat(behind.get()).isEmpty();
        assertThat(held.isHeld()).isTrue();
    }
}
