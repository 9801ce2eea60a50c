// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where tasks run inside each other, a thread has one flag for all interrupts. Each task is interrupted for its own loss, and no
 * interrupt of a loss outlives the task whose lock was lost.
 */
@Timeout(60)
class NestedRunTest {
    private static final long PATIENCE_SECONDS = 10;
    private static final int ROUNDS = 200;
    private static final int LONGEST_TASK_NANOS = 200_000;

    /** How a task ends that was interrupted. */
    private enum End {
        WITHOUT_A_LOOK {
            @Override
            void of(Runnable losses) {
                losses.run();
            }
        },
        BY_THE_INTERRUPT {
            @Override
            void of(Runnable losses) throws InterruptedException {
                losses.run();
                if (Thread.interrupted()) {
                    throw new InterruptedException("the task's own");
                }
            }
        },
        AFTER_THE_INTERRUPT {
            @Override
            void of(Runnable losses) {
                losses.run();
                boolean unused = Thread.interrupted();
            }
        },
        BY_AN_ERROR {
            @Override
            void of(Runnable losses) {
                losses.run();
                throw new OutOfMemoryError("injected");
            }
        };

        /** A task that is interrupted by some losses. */
        abstract void of(Runnable losses) throws InterruptedException;
    }

    /** A thread that counts how often others have interrupted it, since the flag does not tell. */
    private static final class CountingThread extends Thread {
        private final AtomicInteger interrupts = new AtomicInteger();
        private final CountDownLatch slow = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private volatile boolean slowly;

        private CountingThread(Runnable body) {
            super(body, "caller");
        }

        @Override
        public void interrupt() {
            if (slowly && Thread.currentThread() != this) {
                slow.countDown();
                awaitGoOn();
            }
            super.interrupt();
            if (Thread.currentThread() != this) {
                interrupts.incrementAndGet();
            }
        }

        private void awaitGoOn() {
            try {
                mayGoOn.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final MemoryStore memory = new MemoryStore(new ManualTicker());
    private final LockClient locks = client();
    private final LockClient other = client();
    private final DistributedLock outer = locks.lock("outer");
    private final DistributedLock inner = locks.lock("inner");

    private LockClient client() {
        return LockClient.builder(new MemoryBackend(memory))
                .ticker(new ManualTicker())
                .build();
    }

    @AfterEach
    void close() {
        locks.close();
        other.close();
    }

    /** Runs something that may leave its thread interrupted. */
    private static void inThread(Function<Runnable, Thread> factory, BackgroundCall.Action body) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            body.run();
            return true;
        });
        Thread thread = factory.apply(task);
        thread.setDaemon(true);
        thread.start();
        try {
            task.get(3 * PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof AssertionError assertion) {
                throw assertion;
            }
            throw failed;
        }
    }

    private static void inCountingThread(BackgroundCall.Action body) throws Exception {
        inThread(CountingThread::new, body);
    }

    /** Runs a task whose lock must be lost meanwhile, and throws what the task has found to be wrong. */
    private static void runAndLose(DistributedLock lock, BackgroundCall.Action task) throws Exception {
        LockLostException lost = null;
        try {
            lock.run(lease -> task.run());
        } catch (LockLostException expected) {
            lost = expected;
        }
        for (Throwable thrown : Objects.requireNonNull(lost, "lost").getSuppressed()) {
            if (thrown instanceof AssertionError found) {
                throw found;
            }
        }
    }

    /** The calling thread loses a lock, and goes on when it was interrupted for that. */
    private static void lose(DistributedLock lock) {
        AtomicInteger interrupts = ((CountingThread) Thread.currentThread()).interrupts;
        int before = interrupts.get();
        // By another thread: the calling one is interrupted meanwhile.
        BackgroundCall<Boolean> unused = BackgroundCall.start(() -> lock.revokeNow("lost"));
        awaitThat("interrupted for " + lock, () -> interrupts.get() > before);
    }

    private static void awaitThat(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                fail("not " + what);
            }
            Thread.onSpinWait();
        }
    }

    private static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    private static void assertInterrupted(String forWhat) {
        assertThat(isInterrupted()).as("interrupted for " + forWhat).isTrue();
    }

    private static void assertNotInterrupted() {
        assertThat(isInterrupted()).as("interrupted").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void anOuterLossAfterTheInnerReachesTheOuterTask(End end) throws Exception {
        inCountingThread(() -> runAndLose(outer, () -> {
            runAndLose(
                    inner,
                    () -> end.of(() -> {
                        lose(inner);
                        lose(outer);
                    }));
            assertInterrupted("the outer loss");
        }));
    }

    @ParameterizedTest
    @EnumSource
    void twoLossesLeaveNoInterruptBehind(End end) throws Exception {
        inCountingThread(() -> {
            runAndLose(
                    outer,
                    () -> runAndLose(
                            inner,
                            () -> end.of(() -> {
                                lose(inner);
                                lose(outer);
                            })));
            assertNotInterrupted();
        });
    }

    @ParameterizedTest
    @EnumSource
    void lossesUnderTwoClientsAreToldApart(End end) throws Exception {
        DistributedLock foreign = other.lock("foreign");
        inCountingThread(() -> {
            runAndLose(outer, () -> {
                runAndLose(
                        foreign,
                        () -> end.of(() -> {
                            lose(foreign);
                            lose(outer);
                        }));
                assertInterrupted("the outer loss");
            });
            assertNotInterrupted();
        });
    }

    static Stream<Arguments> ordersAndEnds() {
        List<List<Integer>> orders = List.of(
                List.of(0, 1, 2),
                List.of(0, 2, 1),
                List.of(1, 0, 2),
                List.of(1, 2, 0),
                List.of(2, 0, 1),
                List.of(2, 1, 0));
        return orders.stream().flatMap(order -> Stream.of(End.values()).map(end -> Arguments.of(order, end)));
    }

    @ParameterizedTest
    @MethodSource("ordersAndEnds")
    void ofThreeLossesEachTaskHearsOfItsOwn(List<Integer> order, End end) throws Exception {
        List<DistributedLock> levels = List.of(outer, other.lock("middle"), inner);
        inCountingThread(() -> {
            runAndLose(levels.get(0), () -> {
                runAndLose(levels.get(1), () -> {
                    runAndLose(levels.get(2), () -> end.of(() -> order.forEach(level -> lose(levels.get(level)))));
                    assertInterrupted("the loss in the middle");
                });
                assertInterrupted("the outer loss");
            });
            assertNotInterrupted();
        });
    }

    @ParameterizedTest
    @EnumSource
    void anOuterLossReachesItsTaskOverOneThatKeepsItsLock(End end) throws Exception {
        inCountingThread(() -> {
            runAndLose(outer, () -> {
                other.lock("middle")
                        .run(kept -> runAndLose(
                                inner,
                                () -> end.of(() -> {
                                    lose(inner);
                                    lose(outer);
                                })));
                assertInterrupted("the outer loss");
            });
            assertNotInterrupted();
        });
    }

    /** Else it would come once more, after the outer task has taken note of it. */
    @Test
    void theEndOfAnInnerTaskWaitsForTheInterruptOfAnOuterLoss() throws Exception {
        inCountingThread(() -> {
            CountingThread thread = (CountingThread) Thread.currentThread();
            AtomicBoolean ended = new AtomicBoolean();
            BackgroundCall<Boolean> waited = BackgroundCall.start(() -> {
                thread.slow.await();
                while (thread.getState() != Thread.State.BLOCKED && !ended.get()) {
                    LockSupport.parkNanos(100_000);
                }
                boolean waits = !ended.get();
                thread.mayGoOn.countDown();
                return waits;
            });
            runAndLose(outer, () -> {
                runAndLose(inner, () -> {
                    lose(inner);
                    thread.slowly = true;
                    BackgroundCall<Boolean> unused = BackgroundCall.start(() -> outer.revokeNow("lost"));
                    awaitThat("about to be interrupted", () -> thread.slow.getCount() == 0);
                });
                ended.set(true);
                assertInterrupted("the outer loss");
            });
            assertNotInterrupted();
            assertThat(waited.get()).as("waited").isTrue();
        });
    }

    /** As after an error in the midst of telling it. */
    @Test
    void aLossThatIsToldTwiceInterruptsOnce() throws Exception {
        inCountingThread(() -> {
            LossInterrupt interrupt = new LossInterrupt();
            interrupt.begin();
            interrupt.run();
            interrupt.run();
            assertInterrupted("the loss");
            assertThat(interrupt.end(false)).isTrue();
            assertNotInterrupted();
        });
    }

    @Test
    void nothingIsRememberedOfTasksThatHaveEndedOrNotRun() throws Exception {
        DistributedLock busy = locks.lock("busy");
        assertThat(other.lock("busy").tryAcquire()).isPresent();
        inCountingThread(() -> {
            assertThat(busy.tryRun(lease -> {})).isFalse();
            assertThat(LossInterrupt.innermost()).isNull();
            runAndLose(outer, () -> {
                LossInterrupt own = LossInterrupt.innermost();
                assertThat(own).isNotNull();
                inner.run(lease -> assertThat(LossInterrupt.innermost()).isNotSameAs(own));
                runAndLose(inner, () -> End.BY_AN_ERROR.of(() -> lose(inner)));
                assertThat(busy.tryRun(lease -> {})).isFalse();
                assertThat(LossInterrupt.innermost()).isSameAs(own);
                lose(outer);
            });
            assertThat(LossInterrupt.innermost()).isNull();
        });
    }

    @Test
    void anInterruptOfTheApplicationBeforeTwoLossesOutlivesBoth() throws Exception {
        inCountingThread(() -> {
            runAndLose(outer, () -> {
                runAndLose(inner, () -> {
                    Thread.currentThread().interrupt();
                    lose(inner);
                    lose(outer);
                });
                assertInterrupted("the outer loss");
            });
            assertInterrupted("the application");
        });
    }

    @Test
    void anInterruptOfTheApplicationBetweenTwoLossesOutlivesBoth() throws Exception {
        inCountingThread(() -> {
            runAndLose(outer, () -> {
                runAndLose(inner, () -> lose(inner));
                assertNotInterrupted();
                Thread.currentThread().interrupt();
                lose(outer);
            });
            assertInterrupted("the application");
        });
    }

    @Test
    void anInterruptOfTheApplicationBeforeAnInnerTaskOutlivesItsLoss() throws Exception {
        inCountingThread(() -> {
            runAndLose(outer, () -> {
                Thread.currentThread().interrupt();
                LockLostException lost = null;
                try {
                    inner.tryRun(lease -> {
                        lose(inner);
                        lose(outer);
                    });
                } catch (LockLostException expected) {
                    lost = expected;
                }
                assertThat(lost).isNotNull();
                assertInterrupted("the application and the outer loss");
            });
            assertInterrupted("the application");
        });
    }

    /** What a task has taken note of does not come again with each task inside it. */
    @Test
    void anInterruptThatTheOuterTaskHasTakenDoesNotComeAgain() throws Exception {
        inCountingThread(() -> {
            runAndLose(outer, () -> {
                inner.run(lease -> lose(outer));
                assertThat(Thread.interrupted())
                        .as("interrupted for the outer loss")
                        .isTrue();
                runAndLose(inner, () -> lose(inner));
                assertNotInterrupted();
                locks.lock("last").run(lease -> {});
                assertNotInterrupted();
            });
            assertNotInterrupted();
        });
    }

    /** Two locks are lost about when the inner task ends, in any order. */
    private void raceLosses() throws Exception {
        Random random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            DistributedLock around = locks.lock("around " + round);
            DistributedLock within = other.lock("within " + round);
            long length = random.nextInt(LONGEST_TASK_NANOS);
            AtomicInteger started = new AtomicInteger();
            BackgroundCall<Boolean> first = afterAll(started, () -> around.revokeNow("lost"));
            BackgroundCall<Boolean> second = afterAll(started, () -> within.revokeNow("lost"));
            AssertionError wrong = outcome(() -> around.run(outside -> {
                AssertionError found = outcome(() -> within.run(inside -> {
                    started.incrementAndGet();
                    long start = System.nanoTime();
                    while (started.get() < 3 || System.nanoTime() - start < length) {
                        Thread.onSpinWait();
                    }
                }));
                if (found != null) {
                    throw found;
                }
                awaitThat("interrupted for the outer loss", NestedRunTest::isInterrupted);
            }));
            if (wrong != null) {
                throw wrong;
            }
            assertThat(isInterrupted()).as("interrupted after round " + round).isFalse();
            first.get();
            second.get();
            assertThat(isInterrupted()).as("interrupted later").isFalse();
        }
    }

    /** Begins when the inner task and both calls are there. */
    private static BackgroundCall<Boolean> afterAll(AtomicInteger started, Callable<Boolean> call) {
        return BackgroundCall.start(() -> {
            started.incrementAndGet();
            while (started.get() < 3) {
                Thread.onSpinWait();
            }
            return call.call();
        });
    }

    /** What a task that may have lost its lock has found to be wrong. */
    private static @Nullable AssertionError outcome(BackgroundCall.Action run) throws Exception {
        try {
            run.run();
        } catch (LockLostException lost) {
            for (Throwable thrown : lost.getSuppressed()) {
                if (thrown instanceof AssertionError found) {
                    return found;
                }
            }
        }
        return null;
    }

    @Test
    void lossesBesideTheEndOfTheInnerTaskAreToldApart() throws Exception {
        inThread(Thread::new, this::raceLosses);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "this JVM has no virtual threads; run on 21 or newer")
    void lossesOfVirtualThreadsAreToldApart() throws Exception {
        inThread(NestedRunTest::virtual, this::raceLosses);
    }

    private static Thread virtual(Runnable body) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, body);
        } catch (ReflectiveOperationException none) {
            throw new LinkageError(none.getMessage(), none);
        }
    }
}
