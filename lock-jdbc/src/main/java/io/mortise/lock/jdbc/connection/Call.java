// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.LockException;
import io.mortise.lock.jdbc.sql.SqlFailures;
import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of the database, run by a call thread and awaited by another. The one who waits may leave: when its time is
 * over, or interrupted. A call that nobody waits for any more is not sent, unless it cleans up.
 *
 * @param <T> what it answers
 */
public final class Call<T> {
    private enum State {
        WAITING,
        RUNNING,
        ENDED
    }

    private final Function<Call<T>, T> work;
    private final long start = System.nanoTime();
    private final Duration atMost;
    private final @Nullable Call<?> before;
    private final boolean cleansUp;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private volatile boolean givenUp;

    /**
     * A call that has not begun; its time runs from now.
     *
     * @param work what to do; to ask {@link #isOver()} before it tries again
     * @param atMost how long the call may take
     * @param before the call that must have ended before this one is sent, or null
     * @param cleansUp whether it is of use when nobody waits for it any more
     */
    public Call(Function<Call<T>, T> work, Duration atMost, @Nullable Call<?> before, boolean cleansUp) {
        this.work = work;
        this.atMost = atMost;
        this.before = before;
        this.cleansUp = cleansUp;
    }

    /** Has it run by a thread of {@code threads}, as soon as the call before has ended. */
    public Call<T> startOn(Executor threads) {
        afterTheOneBefore(() -> submit(threads));
        return this;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a step does not fail
    private void afterTheOneBefore(Runnable step) {
        if (before == null || before.hasEnded()) {
            step.run();
        } else {
            before.answer.whenComplete((value, failure) -> step.run());
        }
    }

    private void submit(Executor threads) {
        try {
            threads.execute(this::run);
        } catch (RejectedExecutionException closed) {
            if (state.compareAndSet(State.WAITING, State.ENDED)) {
                answer.completeExceptionally(new BackendException("this client of the database is closed", null));
            }
        }
    }

    private void run() {
        if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
            return;
        }
        try {
            answer.complete(work.apply(this));
        } catch (Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** Whether whoever waited for it has left, or is about to. */
    boolean isOver() {
        return givenUp || leftNanos() <= 0;
    }

    /** Whether the call cannot change the database any more. */
    public boolean hasEnded() {
        return answer.isDone();
    }

    /**
     * Waits for the answer.
     *
     * @throws InterruptedException if the thread is interrupted before; the call may go on, as one that is given up
     * @throws BackendException if the call failed or its time is over
     */
    public T await() throws InterruptedException {
        try {
            return awaitAnswer();
        } catch (InterruptedException interrupted) {
            giveUp();
            throw interrupted;
        }
    }

    /** Waits for the answer as {@link #await()} does, but leaves an interrupt for later. */
    public T awaitCalmly() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return awaitAnswer();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private T awaitAnswer() throws InterruptedException {
        try {
            return answer.get(Math.max(0, leftNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            giveUp();
            throw new BackendException(
                    "the database did not answer within " + atMost.toMillis() + " ms",
                    null,
                    answer.isDone() ? null : answer);
        } catch (ExecutionException failed) {
            Throwable failure = failed.getCause();
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof LockException clear) {
                throw clear;
            }
            throw SqlFailures.unanswered(failure == null ? failed : failure);
        }
    }

    /** A call that is not sent any more still ends after the one before, so that who follows it follows both. */
    private void giveUp() {
        givenUp = true;
        if (cleansUp || !state.compareAndSet(State.WAITING, State.ENDED)) {
            return;
        }
        BackendException unsent = new BackendException("the call was given up before it was sent", null);
        afterTheOneBefore(() -> answer.completeExceptionally(unsent));
    }

    private long leftNanos() {
        return atMost.toNanos() - (System.nanoTime() - start);
    }
}
