// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.spi.BackendException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where a caller's thread can start no other one, its call ends, and what could not begin then begins when it can. */
@Timeout(60)
@EnabledForJreRange(
        max = JRE.JAVA_18,
        disabledReason = "newer threads ask nothing of the one that makes them, so that no start can be made to fail")
class RefusedThreadTest {
    private final ErrorScene scene = new ErrorScene();
    private final LockClient client = scene.client;

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** A thread that cannot make another: it throws when it is asked for the class loader of the new one. */
    private static final class Refusing extends Thread {
        private final Thrown thrown;
        private final AtomicInteger refusals = new AtomicInteger();

        private Refusing(Runnable body, Thrown thrown) {
            super(body, "refusing");
            this.thrown = thrown;
            setDaemon(true);
        }

        @Override
        public ClassLoader getContextClassLoader() {
            boolean isForAThread = StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst().stream()
                    .anyMatch(caller -> caller.getClassName().equals("java.lang.Thread")));
            if (isForAThread) {
                refusals.incrementAndGet();
                thrown.raise();
            }
            return super.getContextClassLoader();
        }
    }

    /** Runs a call on such a thread, which must have been refused one. */
    private <T> FutureTask<T> refused(Thrown thrown, Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Refusing thread = new Refusing(task, thrown);
        thread.start();
        scene.pass("has ended", task::isDone);
        assertThat(thread.refusals).as("refused threads").hasPositiveValue();
        return task;
    }

    private static Throwable failure(FutureTask<?> call) throws InterruptedException {
        try {
            throw new AssertionError("the call threw nothing and answered " + call.get());
        } catch (ExecutionException failed) {
            return Objects.requireNonNull(failed.getCause());
        }
    }

    private static void isWhatWasThrown(Throwable seen, Thrown thrown) {
        assertThat(thrown.is(seen)).as("%s is what was thrown", seen).isTrue();
    }

    /** The timer of a client begins when the store has granted the first lease. A thread that cannot begin throws an error. */
    @ParameterizedTest
    @EnumSource(value = Thrown.class, mode = EnumSource.Mode.EXCLUDE, names = "REJECTED")
    void aGrantForWhichThereIsNoTimerIsGivenBackAtOnce(Thrown thrown) throws Exception {
        DistributedLock lock = client.lock("a");
        isWhatWasThrown(failure(refused(thrown, lock::acquire)), thrown);
        assertThat(scene.other.lock("a").holder()).as("who has it").isEmpty();
        isWhatWasThrown(failure(refused(thrown, () -> lock.tryCall(lease -> "done"))), thrown);
        isWhatWasThrown(failure(refused(thrown, () -> lock.asLock().tryLock())), thrown);
        assertThat(scene.other.lock("a").holder()).as("who has it").isEmpty();
        scene.everythingWorks("a");
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    @SuppressWarnings("FutureReturnValueIgnored") // it is not
    void aFutureForWhichThereIsNoTimerCompletesWithWhatWasThrown(Thrown thrown) throws Exception {
        CompletableFuture<Lease> future =
                refused(thrown, client.lock("a")::acquireAsync).get();
        isWhatWasThrown(future.handle((lease, failure) -> failure).get(10, TimeUnit.SECONDS), thrown);
        assertThat(scene.store.calls(Call.TRY)).isZero();
        scene.everythingWorks("a");
    }

    /** The client has no thread at all then. */
    @ParameterizedTest
    @EnumSource(Thrown.class)
    void whatAnUnansweredTryMayHaveLeftIsGivenBackWithTheNextLease(Thrown thrown) throws Exception {
        scene.store.always(Call.AFTER_TRY, () -> {
            throw new BackendException("no answer", null);
        });
        assertThat(failure(refused(thrown, client.lock("a")::tryAcquire)))
                .isExactlyInstanceOf(LockStoreException.class);
        scene.store.heal();
        assertThat(scene.other.lock("a").holder()).as("who has it").isPresent();
        assertThat(scene.acquired(client, "next").isHeld()).isTrue();
        scene.soonFree("a");
        scene.everythingWorks("a");
    }

    /** From here on the client has a timer, which starts what others could not. */
    @ParameterizedTest
    @EnumSource(Thrown.class)
    @SuppressWarnings("FutureReturnValueIgnored") // it is not
    void aFutureWithoutThreadGoesOnWhenThereIsOne(Thrown thrown) throws Exception {
        Lease first = scene.acquired(client, "first");
        CompletableFuture<Lease> future =
                refused(thrown, client.lock("a")::acquireAsync).get();
        scene.pass("granted", future::isDone);
        assertThat(future.get().release()).isTrue();
        assertThat(first.release()).isTrue();
        scene.everythingWorks("a");
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void aReleaseThatIsLeftToAThreadThatThereIsNotIsDoneLater(Thrown thrown) throws Exception {
        Lease first = scene.acquired(client, "first");
        Lease lease = scene.acquired(client, "a");
        scene.store.always(Call.RELEASE, () -> {
            throw new BackendException("no answer", null);
        });
        assertThat(failure(refused(thrown, lease::release))).isExactlyInstanceOf(LockReleaseException.class);
        scene.store.heal();
        scene.soonFree("a");
        assertThat(first.release()).isTrue();
        scene.everythingWorks("a");
    }

    /** The refused thread is the first to see that the leases have ended, and tells of it. */
    @ParameterizedTest
    @EnumSource(Thrown.class)
    void aLossThatFindsNoThreadIsToldAndItsTaskInterrupted(Thrown thrown) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<Lease> inTask = new CompletableFuture<>();
        LockOptions ending = ErrorScene.OPTIONS.withRenewal(false);
        BackgroundCall<Boolean> task =
                BackgroundCall.startAction(() -> client.lock("task", ending).run(lease -> {
                    inTask.complete(lease.onLost(scene.losses::add));
                    entered.countDown();
                    never.await();
                }));
        entered.await();
        Lease lease = client.lock("a", ending).acquire().onLost(scene.losses::add);
        List<Lease> leases = List.of(lease, inTask.get());
        // By the wall clock alone, which does not wake the timer, once that waits.
        scene.ticker.awaitParked(1);
        scene.ticker.suspend(ErrorScene.LEASE);
        assertThat(refused(thrown, () -> leases.stream().map(Lease::isHeld).toList())
                        .get())
                .containsExactly(false, false);
        scene.pass("the losses are told", () -> scene.losses.size() == 2);
        scene.pass("the task has ended", task::isDone);
        assertThat(scene.losses).extracting(Loss::cause).containsOnly(LossCause.EXPIRED);
        assertThat(task.failure())
                .isInstanceOf(LockLostException.class)
                .satisfies(lost ->
                        assertThat(lost.getSuppressed()).singleElement().isInstanceOf(InterruptedException.class));
        scene.everythingWorks("a", "task");
    }
}
