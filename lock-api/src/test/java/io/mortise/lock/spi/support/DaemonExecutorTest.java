// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DaemonExecutorTest {
    private final DaemonExecutor executor = new DaemonExecutor("daemon-executor-test", 2);
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        executor.close(Duration.ZERO);
    }

    @Test
    void noMoreTasksRunAtOnceThanAllowed() throws InterruptedException {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(50);
        for (int i = 0; i < 50; i++) {
            executor.execute(() -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                LockSupport.parkNanos(1_000);
                running.decrementAndGet();
                ended.countDown();
            });
        }

        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void thereAreNeverMoreThreadsThanAllowed() throws Exception {
        DaemonExecutor one = new DaemonExecutor("daemon-executor-bound-test", 1);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 20_000; i++) {
            one.supply(() -> threads.add(Thread.currentThread())).get(20, TimeUnit.SECONDS);
        }
        assertThat(threads).hasSize(1);
        one.close(Duration.ZERO);
    }

    @Test
    void theThreadThatWasBusyLastGoesFirst() throws Exception {
        CompletableFuture<Thread> first = new CompletableFuture<>();
        executor.execute(() -> {
            first.complete(Thread.currentThread());
            awaitGate();
        });
        Thread second = executor.supply(Thread::currentThread).get(20, TimeUnit.SECONDS);
        await().until(() -> second.getState() == Thread.State.TIMED_WAITING);
        gate.countDown();
        Thread last = first.get(20, TimeUnit.SECONDS);
        await().until(() -> last.getState() == Thread.State.TIMED_WAITING);

        assertThat(second).isNotSameAs(last);
        assertThat(executor.supply(Thread::currentThread).get(20, TimeUnit.SECONDS))
                .isSameAs(last);
    }

    @Test
    void shutdownNowInterruptsWhatRunsAndWhatWaits() throws Exception {
        DaemonExecutor one = new DaemonExecutor("daemon-executor-test", 1);
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        one.execute(() -> {
            running.countDown();
            awaitGate();
        });
        CompletableFuture<Boolean> waiting =
                one.supply(() -> Thread.currentThread().isInterrupted());
        one.execute(() -> interrupted.complete(Thread.currentThread().isInterrupted()));
        running.await();
        one.shutdownNow();
        gate.countDown();

        assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
        one.awaitIdle(System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
        assertThatThrownBy(() -> one.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void anInterruptOfOneTaskDoesNotReachTheNext() throws Exception {
        DaemonExecutor one = new DaemonExecutor("daemon-executor-test", 1);
        one.execute(() -> Thread.currentThread().interrupt());

        assertThat(one.supply(() -> Thread.currentThread().isInterrupted()).get(20, TimeUnit.SECONDS))
                .isFalse();
        one.close(Duration.ZERO);
    }

    @Test
    void manyCallersGetEveryTaskDoneOnce() throws Exception {
        AtomicInteger done = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread caller = new Thread(() -> {
                for (int task = 0; task < 5_000; task++) {
                    executor.execute(done::incrementAndGet);
                }
            });
            caller.start();
            callers.add(caller);
        }
        for (Thread caller : callers) {
            caller.join();
        }
        executor.awaitIdle(System.nanoTime() + TimeUnit.SECONDS.toNanos(20));

        assertThat(done).hasValue(40_000);
    }

    @Test
    void tasksThatWaitRunInTheirOrder() throws InterruptedException {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        DaemonExecutor one = new DaemonExecutor("daemon-executor-test", 1);
        one.execute(this::awaitGate);
        for (int i = 0; i < 5; i++) {
            int number = i;
            one.execute(() -> order.add(number));
        }
        gate.countDown();
        one.awaitIdle(System.nanoTime() + TimeUnit.SECONDS.toNanos(20));

        assertThat(order).containsExactly(0, 1, 2, 3, 4);
        one.close(Duration.ZERO);
    }

    @Test
    void aTaskThatThrowsLeavesTheOthersTheirThread() throws Exception {
        DaemonExecutor one = new DaemonExecutor("daemon-executor-test", 1);
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        one.execute(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> uncaught.complete(failure));
            throw new StackOverflowError("on purpose");
        });

        assertThat(uncaught.get(20, TimeUnit.SECONDS)).isInstanceOf(StackOverflowError.class);
        assertThat(one.supply(() -> "next").get(20, TimeUnit.SECONDS)).isEqualTo("next");
        one.close(Duration.ZERO);
    }

    @Test
    void whatATaskThrowsIsKept() {
        assertThat(executor.supply(() -> {
                    throw new IllegalStateException("on purpose");
                }))
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withMessageContaining("on purpose");
    }

    @Test
    void aClosedExecutorRefusesTasksAndDropsThoseThatWait() {
        AtomicInteger ran = new AtomicInteger();
        executor.execute(this::awaitGate);
        executor.execute(this::awaitGate);
        executor.execute(ran::incrementAndGet);
        executor.close(Duration.ofMillis(10));

        assertThatThrownBy(() -> executor.execute(ran::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
        gate.countDown();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("daemon-executor-test")));
        assertThat(ran).hasValue(0);
    }

    @Test
    void closeWaitsForTasks() {
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            executor.execute(ran::incrementAndGet);
        }
        executor.close(Duration.ofSeconds(20));

        assertThat(ran).hasValue(20);
    }

    @Test
    void aThreadThatDoesNotStartLeavesTheExecutorUsable() throws Exception {
        AtomicInteger failures = new AtomicInteger(3);
        DaemonExecutor one = new DaemonExecutor("daemon-executor-start-test", 1, task -> new Thread(task) {
            @Override
            @SuppressWarnings("UnsynchronizedOverridesSynchronized") // nobody else starts it
            public void start() {
                if (failures.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("unable to create native thread: on purpose");
                }
                super.start();
            }
        });
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> one.execute(ran::incrementAndGet)).isInstanceOf(OutOfMemoryError.class);
        }
        one.awaitIdle(System.nanoTime());

        assertThat(one.supply(() -> "next").get(20, TimeUnit.SECONDS)).isEqualTo("next");
        assertThat(ran).hasValue(0);
        one.close(Duration.ofSeconds(20));
    }

    @Test
    void aThreadThatStartsThoughItsStartThrowsIsNotOneTooMany() throws Exception {
        AtomicInteger failures = new AtomicInteger(3);
        List<Thread> made = Collections.synchronizedList(new ArrayList<>());
        DaemonExecutor one = new DaemonExecutor("daemon-executor-late-start-test", 1, task -> {
            Thread thread = new Thread(task) {
                @Override
                @SuppressWarnings("UnsynchronizedOverridesSynchronized") // nobody else starts it
                public void start() {
                    super.start();
                    if (failures.getAndDecrement() > 0) {
                        throw new StackOverflowError("on purpose");
                    }
                }
            };
            made.add(thread);
            return thread;
        });
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> one.execute(ran::incrementAndGet)).isInstanceOf(StackOverflowError.class);
        }
        for (Thread failed : List.copyOf(made)) {
            failed.join(20_000);
        }

        assertThat(ran).hasValue(0);
        assertThat(made).noneMatch(Thread::isAlive);
        assertThat(one.supply(() -> "next").get(20, TimeUnit.SECONDS)).isEqualTo("next");
        one.close(Duration.ofSeconds(20));
    }

    @Test
    void aGraceOfCenturiesIsNoError() {
        executor.execute(() -> {});
        executor.close(Duration.ofSeconds(Long.MAX_VALUE));

        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    private void awaitGate() {
        boolean interrupted = false;
        while (gate.getCount() > 0) {
            try {
                gate.await();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
