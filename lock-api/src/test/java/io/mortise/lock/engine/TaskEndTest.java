// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.testing.ManualTicker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The type of an exception tells whether the task has run, and what it returned is not lost. */
@Timeout(30)
class TaskEndTest {
    private static final LockOptions OPTIONS = LockOptions.defaults().withRenewal(false);

    private static final Duration CALL = Duration.ofMillis(100);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore memory = new MemoryStore(ticker);
    private final ThrowingStore store = new ThrowingStore(new MemoryBackend(memory));
    private final LockClient locks = LockClient.builder(store)
            .ticker(ticker)
            .callTimeout(CALL)
            .options(OPTIONS)
            .build();
    private final DistributedLock lock = locks.lock("a");
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        store.heal();
        locks.close();
    }

    private void noAnswerTo(Call call) {
        store.always(call, () -> {
            // As long as the whole call may take, so that nobody has to let time pass for a further try.
            ticker.advance(call == Call.TRY ? Duration.ofSeconds(31) : CALL);
            throw new BackendException("no answer", null);
        });
    }

    private static void released(Throwable failure) {
        assertThat(failure)
                .isInstanceOf(LockReleaseException.class)
                .isNotInstanceOf(LockStoreException.class)
                .hasMessageContaining("'a'");
        assertThat(((LockException) failure).lockName()).isEqualTo("a");
    }

    @Test
    void aTaskWhoseReleaseIsUnansweredHasRun() {
        noAnswerTo(Call.RELEASE);
        released(catchThrowable(() -> lock.run(lease -> runs.incrementAndGet())));
        assertThat(runs).hasValue(1);
    }

    @Test
    void theResultOfATaskWhoseReleaseIsUnansweredIsKept() {
        noAnswerTo(Call.RELEASE);
        Throwable failure = catchThrowable(() -> lock.<String, RuntimeException>call(lease -> "done"));
        released(failure);
        assertThat(((LockReleaseException) failure).result()).contains("done");
    }

    @Test
    void aTriedTaskWhoseReleaseIsUnansweredHasRunAndItsResultIsKept() {
        noAnswerTo(Call.RELEASE);
        released(catchThrowable(() -> lock.tryRun(lease -> runs.incrementAndGet())));
        assertThat(runs).hasValue(1);
        ticker.advance(Duration.ofMinutes(1));
        store.heal();
        Throwable failure = catchThrowable(() -> lock.<String, RuntimeException>tryCall(lease -> {
            noAnswerTo(Call.RELEASE);
            return "done";
        }));
        released(failure);
        assertThat(((LockReleaseException) failure).result()).contains("done");
    }

    @Test
    void aTaskDoesNotRunWhenTheStoreDoesNotAnswerTheTry() {
        noAnswerTo(Call.TRY);
        assertThatThrownBy(() -> lock.run(lease -> runs.incrementAndGet())).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> lock.tryRun(lease -> runs.incrementAndGet())).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> lock.tryCall(lease -> runs.incrementAndGet())).isInstanceOf(LockStoreException.class);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aTaskWhoseThreadIsInterruptedWhileItWaitsHasNotRun() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.run(lease -> runs.incrementAndGet())).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(runs).hasValue(0);
    }

    @Test
    void aTaskThatThrowsAnInterruptOfItsOwnHasRun() {
        InterruptedException own = new InterruptedException("the task's own");
        assertThatThrownBy(() -> lock.run(lease -> {
                    runs.incrementAndGet();
                    throw own;
                }))
                .isSameAs(own)
                .hasNoSuppressedExceptions();
        assertThat(runs).hasValue(1);
        assertThat(lock.holder()).isEmpty();
    }

    @Test
    void whoTriesAgainAfterNoAnswerRunsTheTaskOnce() throws Exception {
        noAnswerTo(Call.AFTER_RELEASE);
        for (int i = 0; i < 3; i++) {
            try {
                lock.run(lease -> runs.incrementAndGet());
            } catch (LockStoreException notRun) {
                continue;
            } catch (LockReleaseException run) {
                // The end that was wanted.
            }
            break;
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void theResultOfATaskWhoseLeaseWasLostIsKept() {
        assertThatThrownBy(() -> lock.<String, RuntimeException>call(this::outliveTheLease))
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.result())
                        .contains("done"));
        assertThat(Thread.interrupted()).isFalse();
        assertThatThrownBy(() -> lock.<String, RuntimeException>tryCall(this::outliveTheLease))
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.result())
                        .contains("done"));
        assertThat(Thread.interrupted()).isFalse();
    }

    private String outliveTheLease(Lease lease) {
        ticker.advance(Duration.ofSeconds(31));
        assertThat(lease.isHeld()).isFalse();
        return "done";
    }

    @Test
    void aTaskWithoutResultWhoseReleaseIsUnansweredHasNone() throws Exception {
        noAnswerTo(Call.RELEASE);
        Throwable run = catchThrowable(() -> lock.run(lease -> runs.incrementAndGet()));
        released(run);
        assertThat(((LockReleaseException) run).result()).isEmpty();
    }

    @Test
    void aTriedTaskWithoutResultWhoseReleaseIsUnansweredHasNone() throws Exception {
        noAnswerTo(Call.RELEASE);
        Throwable run = catchThrowable(() -> lock.tryRun(lease -> runs.incrementAndGet()));
        released(run);
        assertThat(((LockReleaseException) run).result()).isEmpty();
    }

    @Test
    void aTaskWithoutResultWhoseLeaseWasLostHasNone() {
        assertThatThrownBy(() -> lock.run(this::outliveTheLease))
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.result())
                        .isEmpty());
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aTriedTaskWithoutResultWhoseLeaseWasLostHasNone() {
        assertThatThrownBy(() -> lock.tryRun(this::outliveTheLease))
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.result())
                        .isEmpty());
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void theUnansweredCloseOfATasksOwnIsToldWithoutACircle() {
        noAnswerTo(Call.RELEASE);
        Throwable failure = catchThrowable(() -> lock.run(Lease::close));
        released(failure);
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain("CIRCULAR REFERENCE");
    }

    @Test
    void aTaskThatThrowsUnderALostLeaseHasNoResult() {
        assertThatThrownBy(() -> lock.call(lease -> {
                    outliveTheLease(lease);
                    throw new IOException("the task's own");
                }))
                .isInstanceOfSatisfying(LockLostException.class, lost -> {
                    assertThat(lost.result()).isEmpty();
                    assertThat(lost.getSuppressed()).singleElement().isInstanceOf(IOException.class);
                });
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void theTasksOwnExceptionCarriesTheUnansweredRelease() {
        noAnswerTo(Call.RELEASE);
        Throwable failure = catchThrowable(() -> lock.run(lease -> {
            throw new IOException("the task's own");
        }));
        assertThat(failure).isInstanceOf(IOException.class);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockReleaseException.class);
    }

    @Test
    void anErrorOfTheReleaseDoesNotHideWhatTheTaskReturned() {
        store.always(Call.RELEASE, () -> {
            throw new OutOfMemoryError("injected");
        });
        Throwable failure = catchThrowable(() -> lock.<String, RuntimeException>call(lease -> "done"));
        released(failure);
        assertThat(((LockReleaseException) failure).result()).contains("done");
    }

    @Test
    void releaseAndCloseTellThatTheReleaseIsUnanswered() throws Exception {
        noAnswerTo(Call.RELEASE);
        Lease released = lock.acquire();
        released(catchThrowable(released::release));
        released(catchThrowable(released::release));
        assertThat(released.isHeld()).isFalse();
        store.heal();
        await().until(() -> {
            ticker.advance(Duration.ofSeconds(1));
            return lock.holder().isEmpty();
        });
        Lease closed = lock.acquire();
        noAnswerTo(Call.RELEASE);
        released(catchThrowable(closed::close));
    }

    @Test
    void unlockTellsThatTheReleaseIsUnansweredAndTheThreadHasLeft() {
        DistributedReentrantLock view = lock.asLock();
        view.lock();
        noAnswerTo(Call.RELEASE);
        released(catchThrowable(view::unlock));
        assertThat(view.holdCount()).isZero();
        assertThat(view.lease()).isEmpty();
        assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aTriedTaskDoesNotRunWhileOthersHoldTheLock() throws Exception {
        try (Lease held = lock.acquire()) {
            assertThat(lock.tryRun(lease -> runs.incrementAndGet())).isFalse();
            assertThat(lock.tryCall(lease -> runs.incrementAndGet())).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(runs).hasValue(0);
        assertThat(lock.tryRun(lease -> runs.incrementAndGet())).isTrue();
        assertThat(lock.tryCall(lease -> runs.incrementAndGet())).contains(2);
        assertThat(lock.holder()).isEmpty();
    }
}
