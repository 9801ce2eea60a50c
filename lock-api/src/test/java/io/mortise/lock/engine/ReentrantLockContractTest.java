// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.LockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code asLock()} keeps the rules of {@link java.util.concurrent.locks.ReentrantLock} that a distributed lock can keep. Runs in
 * real time and uses the API alone, so that a store's module may run it by overriding {@link #connect()}.
 *
 * <p>What a distributed lock cannot have:
 *
 * <ul>
 *   <li>{@code newCondition()}, and with it {@code await}, {@code signal}, {@code hasWaiters}: a condition is signalled to a thread
 *       that waits in the same process, and no store keeps a set of waiting threads of other processes. Always
 *       {@code UnsupportedOperationException}.
 *   <li>{@code hasQueuedThreads()}, {@code hasQueuedThread()}, {@code getQueueLength()}, {@code getQueuedThreads()}: who
 *       waits is known to other processes only. Stores that know their queue tell its length by {@code holder()}.
 *   <li>{@code getOwner()} as a thread, and {@code isLocked()} without I/O: the owner may be in another process.
 *       {@code DistributedLock.holder()} asks the store.
 *   <li>{@code isFair()} and the choice of fairness: callers of one client are always served in order, and what is between
 *       clients is the store's affair ({@code Feature.FAIR}).
 *   <li>A {@code tryLock()} that goes before those that wait: it would have to pass over the store's queue.
 *   <li>Serialization, which yields an unlocked lock: a client has connections and threads, and cannot be copied.
 *   <li>A lock that stays locked when its owner has ended without unlocking: here its lease ends.
 *   <li>{@code toString()} that names the owner: it would need the store. It says who has it in this client.
 * </ul>
 */
@Timeout(60)
class ReentrantLockContractTest {
    private static final Duration SHORT = Duration.ofMillis(60);
    private static final int DEPTH = 20;

    private final LockClient locks = connect();
    private final String name = "contract " + UUID.randomUUID();
    private final DistributedReentrantLock lock = locks.lock(name).asLock();
    private final List<Thread> threads = new ArrayList<>();

    /** A client of the store to be tested. */
    LockClient connect() {
        return LockClient.connect("memory:" + UUID.randomUUID());
    }

    /** The ways into a lock. */
    enum Way {
        LOCK,
        LOCK_INTERRUPTIBLY,
        TRY_LOCK,
        TIMED_TRY_LOCK;

        boolean enter(Lock lock) throws InterruptedException {
            switch (this) {
                case LOCK -> lock.lock();
                case LOCK_INTERRUPTIBLY -> lock.lockInterruptibly();
                case TRY_LOCK -> {
                    return lock.tryLock();
                }
                case TIMED_TRY_LOCK -> {
                    return lock.tryLock(30, TimeUnit.SECONDS);
                }
            }
            return true;
        }

        boolean isInterruptible() {
            return this == LOCK_INTERRUPTIBLY || this == TIMED_TRY_LOCK;
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        boolean unused = Thread.interrupted();
        locks.close();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Runs something on a new thread, and waits for its end. */
    private <T> T elsewhere(Callable<T> call) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        start(result, call);
        return result.get();
    }

    private <T> Thread start(CompletableFuture<T> result, Callable<T> call) {
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return thread;
    }

    /** A thread that tries to enter in one way, and what became of it. */
    private final class Waiter {
        final CompletableFuture<String> end = new CompletableFuture<>();
        final Thread thread;

        /** Starts, and is waiting when this returns. */
        Waiter(Way way) {
            thread = start(end, () -> {
                try {
                    boolean entered = way.enter(lock);
                    String flag = Thread.currentThread().isInterrupted() ? ", interrupted" : "";
                    if (entered) {
                        lock.unlock();
                    }
                    return (entered ? "entered" : "refused") + flag;
                } catch (InterruptedException interrupted) {
                    return "InterruptedException" + (Thread.currentThread().isInterrupted() ? ", interrupted" : "")
                            + ", holds " + lock.holdCount();
                }
            });
            await().until(() -> waits(thread));
        }
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private boolean isFreeForOthers() throws Exception {
        return elsewhere(() -> {
            boolean entered = lock.tryLock();
            if (entered) {
                lock.unlock();
            }
            return entered;
        });
    }

    @Test
    void aNewLockIsHeldByNobody() throws Exception {
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.lease()).isEmpty();
        assertThat(locks.lock(name).holder()).isEmpty();
        assertThat(isFreeForOthers()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void everyWayEntersAFreeLockAndKeepsOthersOut(Way way) throws Exception {
        assertThat(way.enter(lock)).isTrue();
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(lock.lease().orElseThrow().isHeld()).isTrue();
        assertThat(locks.lock(name).holder()).isPresent();
        assertThat(isFreeForOthers()).isFalse();
        lock.unlock();
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.lease()).isEmpty();
        assertThat(isFreeForOthers()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void everyWayEntersAgainWhenTheThreadIsInside(Way way) throws Exception {
        lock.lock();
        long token = lock.lease().orElseThrow().fencingToken();
        for (int count = 2; count <= DEPTH; count++) {
            assertThat(way.enter(lock)).isTrue();
            assertThat(lock.holdCount()).isEqualTo(count);
        }
        assertThat(lock.lease().orElseThrow().fencingToken()).isEqualTo(token);
        for (int count = DEPTH; count > 0; count--) {
            assertThat(lock.holdCount()).isEqualTo(count);
            lock.unlock();
        }
        assertThat(lock.holdCount()).isZero();
    }

    @Test
    void onlyTheLastUnlockLetsOthersIn() throws Exception {
        for (int i = 0; i < DEPTH; i++) {
            lock.lock();
        }
        for (int i = 0; i < DEPTH; i++) {
            assertThat(isFreeForOthers()).isFalse();
            lock.unlock();
        }
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void theHoldCountIsThatOfTheCallingThread() throws Exception {
        lock.lock();
        lock.lock();
        assertThat(elsewhere(lock::holdCount)).isZero();
        assertThat(elsewhere(lock::lease)).isEmpty();
        assertThat(elsewhere(() -> lock.tryLock())).isFalse();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
    }

    @Test
    void unlockingALockThatNobodyHoldsThrows() {
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.holdCount()).isZero();
    }

    @Test
    void unlockingALockOfAnotherThreadThrowsAndChangesNothing() throws Exception {
        lock.lock();
        assertThatThrownBy(() -> elsewhere(() -> {
                    lock.unlock();
                    return true;
                }))
                .hasCauseInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(lock.lease().orElseThrow().isHeld()).isTrue();
        assertThat(isFreeForOthers()).isFalse();
        lock.unlock();
    }

    @Test
    void aTryOfAnotherThreadIsRefusedAtOnce() throws Exception {
        lock.lock();
        assertThat(elsewhere(() -> lock.tryLock())).isFalse();
        assertThat(elsewhere(() -> lock.tryLock(0, TimeUnit.SECONDS))).isFalse();
        assertThat(elsewhere(() -> lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS))).isFalse();
        lock.unlock();
    }

    @Test
    void aTimedTryIsRefusedWhenItsTimeIsOver() throws Exception {
        lock.lock();
        long start = System.nanoTime();
        assertThat(elsewhere(() -> lock.tryLock(SHORT.toNanos(), TimeUnit.NANOSECONDS)))
                .isFalse();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
        lock.unlock();
        assertThat(isFreeForOthers()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = TimeUnit.class,
            names = {"NANOSECONDS", "DAYS"})
    void aTimedTryMayWaitForTheLongestTime(TimeUnit unit) throws Exception {
        assertThat(lock.tryLock(Long.MAX_VALUE, unit)).isTrue();
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        Thread waiter = start(end, () -> lock.tryLock(Long.MAX_VALUE, unit));
        await().until(() -> waits(waiter));
        lock.unlock();
        assertThat(end.get()).isTrue();
    }

    @Test
    @SuppressWarnings("NullAway") // that is the subject
    void aTimedTryWithoutUnitThrows() {
        assertThatThrownBy(() -> lock.tryLock(1, null)).isInstanceOf(NullPointerException.class);
        assertThat(lock.holdCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"LOCK_INTERRUPTIBLY", "TIMED_TRY_LOCK"})
    void anInterruptBeforeAnInterruptibleCallEndsIt(Way way) throws Exception {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> way.enter(lock)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThat(isFreeForOthers()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"LOCK_INTERRUPTIBLY", "TIMED_TRY_LOCK"})
    void anInterruptBeforeAnInterruptibleCallEndsItInsideToo(Way way) {
        lock.lock();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> way.enter(lock)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(lock.holdCount()).isEqualTo(1);
        lock.unlock();
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"LOCK", "TRY_LOCK"})
    void anInterruptBeforeAnUninterruptibleCallIsKept(Way way) throws Exception {
        Thread.currentThread().interrupt();
        assertThat(way.enter(lock)).isTrue();
        assertThat(way.enter(lock)).isTrue();
        lock.unlock();
        lock.unlock();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(isFreeForOthers()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"LOCK_INTERRUPTIBLY", "TIMED_TRY_LOCK"})
    void anInterruptEndsAnInterruptibleWait(Way way) throws Exception {
        lock.lock();
        Waiter waiter = new Waiter(way);
        waiter.thread.interrupt();
        assertThat(waiter.end.get()).isEqualTo("InterruptedException, holds 0");
        assertThat(lock.lease().orElseThrow().isHeld()).isTrue();
        assertThat(lock.holdCount()).isEqualTo(1);
        lock.unlock();
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void anInterruptDoesNotEndAnUninterruptibleWait() throws Exception {
        lock.lock();
        Waiter waiter = new Waiter(Way.LOCK);
        waiter.thread.interrupt();
        await().until(() -> waits(waiter.thread) && !waiter.thread.isInterrupted());
        assertThat(waiter.end).isNotDone();
        lock.unlock();
        assertThat(waiter.end.get()).isEqualTo("entered, interrupted");
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"LOCK", "LOCK_INTERRUPTIBLY", "TIMED_TRY_LOCK"})
    void unlockingLetsAWaiterIn(Way way) throws Exception {
        lock.lock();
        Waiter waiter = new Waiter(way);
        assertThat(waiter.end).isNotDone();
        lock.unlock();
        assertThat(waiter.end.get()).isEqualTo("entered");
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"LOCK_INTERRUPTIBLY", "TIMED_TRY_LOCK"})
    void aWaiterThatWasInterruptedDoesNotHoldUpTheNext(Way way) throws Exception {
        lock.lock();
        Waiter first = new Waiter(way);
        Waiter second = new Waiter(Way.LOCK);
        first.thread.interrupt();
        assertThat(first.end.get()).startsWith("InterruptedException");
        assertThat(second.end).isNotDone();
        lock.unlock();
        assertThat(second.end.get()).isEqualTo("entered");
    }

    @Test
    void aWaiterWhoseTimeIsOverDoesNotHoldUpTheNext() throws Exception {
        lock.lock();
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        Thread timed = start(first, () -> lock.tryLock(1, TimeUnit.SECONDS));
        await().until(() -> waits(timed));
        Waiter second = new Waiter(Way.LOCK);
        assertThat(first.get()).isFalse();
        lock.unlock();
        assertThat(second.end.get()).isEqualTo("entered");
    }

    @Test
    void waitersEnterInTheOrderInWhichTheyCame() throws Exception {
        List<Integer> entered = new CopyOnWriteArrayList<>();
        List<CompletableFuture<Boolean>> ends = new ArrayList<>();
        lock.lock();
        for (int i = 0; i < 5; i++) {
            int number = i;
            CompletableFuture<Boolean> end = new CompletableFuture<>();
            ends.add(end);
            Thread waiter = start(end, () -> {
                lock.lock();
                entered.add(number);
                lock.unlock();
                return true;
            });
            await().until(() -> waits(waiter));
        }
        lock.unlock();
        for (CompletableFuture<Boolean> end : ends) {
            assertThat(end.get()).isTrue();
        }
        assertThat(entered).containsExactly(0, 1, 2, 3, 4);
    }

    private int counter;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatIsDoneInsideIsSeenByTheNextInside(int depth) throws Exception {
        List<CompletableFuture<Boolean>> ends = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            CompletableFuture<Boolean> end = new CompletableFuture<>();
            ends.add(end);
            start(end, () -> {
                for (int round = 0; round < 50; round++) {
                    for (int entered = 0; entered < depth; entered++) {
                        lock.lock();
                    }
                    counter++;
                    for (int entered = 0; entered < depth; entered++) {
                        lock.unlock();
                    }
                }
                return true;
            });
        }
        for (CompletableFuture<Boolean> end : ends) {
            assertThat(end.get()).isTrue();
        }
        assertThat(counter).isEqualTo(200);
    }

    @Test
    void aRefusedTryLeavesNothingBehind() throws Exception {
        assertThat(elsewhere(() -> {
                    lock.lock();
                    CompletableFuture<Integer> count = new CompletableFuture<>();
                    start(count, () -> {
                        boolean entered = lock.tryLock();
                        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
                        return entered ? -1 : lock.holdCount();
                    });
                    int left = count.get();
                    lock.unlock();
                    return left;
                }))
                .isZero();
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void locksOfOtherNamesAreIndependent() throws Exception {
        DistributedReentrantLock otherLock = locks.lock(name + " 2").asLock();
        lock.lock();
        otherLock.lock();
        lock.unlock();
        assertThat(lock.holdCount()).isZero();
        assertThat(otherLock.holdCount()).isEqualTo(1);
        otherLock.unlock();
    }

    @Test
    void allViewsOfOneNameAndClientAreOneLockAndEqual() {
        DistributedReentrantLock sameLock = locks.lock(name).asLock();
        assertThat(sameLock).isEqualTo(lock).hasSameHashCodeAs(lock);
        assertThat(locks.lock(name + " 2").asLock()).isNotEqualTo(lock);
        try (LockClient others = connect()) {
            assertThat(others.lock(name).asLock()).isNotEqualTo(lock);
        }
        lock.lock();
        sameLock.unlock();
        assertThat(lock.holdCount()).isZero();
    }

    @Test
    void theTextSaysWhoHasItInThisClient() throws Exception {
        assertThat(lock.toString()).contains(name).contains("Unlocked in this client");
        lock.lock();
        lock.lock();
        assertThat(lock.toString()).contains(name).contains("Locked by this thread, hold count 2");
        assertThat(elsewhere(lock::toString)).contains("Locked by others of this client");
        lock.unlock();
        lock.unlock();
        assertThat(lock.toString()).contains("Unlocked in this client");
    }

    @Test
    void conditionsAreNotSupported() {
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
        lock.lock();
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
        lock.unlock();
    }
}
