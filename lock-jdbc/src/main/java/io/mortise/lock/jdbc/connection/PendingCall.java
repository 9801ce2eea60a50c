// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.jdbc.sql.SqlFailures;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.BriefWait;
import io.mortise.lock.spi.support.CallDeadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call to the database that one thread runs and another thread awaits. The one who waits may leave: when its time is
 * over, or interrupted. A call that nobody waits for any more is not sent, unless it cleans up.
 *
 * @param <T> what it answers
 */
public final class PendingCall<T> {
    private enum State {
        WAITING,
        RUNNING,
        ENDED
    }

    private final Function<PendingCall<T>, T> work;
    private final CallDeadline deadline;
    private final @Nullable PendingCall<?> before;
    private final boolean cleansUp;
    private final BriefWait briefly;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private volatile boolean givenUp;

    /**
     * A call that has not begun.
     *
     * @param work asks {@link #isOver()} before it tries again
     * @param before the call that must have ended before this one is sent, or null
     * @param cleansUp whether it is of use when nobody waits for it any more
     * @param briefly tells how long calls of this client take
     */
    public PendingCall(
            Function<PendingCall<T>, T> work,
            CallDeadline deadline,
            @Nullable PendingCall<?> before,
            boolean cleansUp,
            BriefWait briefly) {
        this.work = work;
        this.deadline = deadline;
        this.before = before;
        this.cleansUp = cleansUp;
        this.briefly = briefly;
    }

    /** Has it run by a thread of {@code threads}, as soon as the call before has ended. */
    public PendingCall<T> startOn(Executor threads) {
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
                answer.completeExceptionally(BackendException.closed(SqlFailures.STORE));
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
        return givenUp || deadline.hasPassed();
    }

    /** Whether the call cannot change the database any more. */
    public boolean hasEnded() {
        return answer.isDone();
    }

    /**
     * Waits for the answer.
     *
     * @throws InterruptedException if the call is interruptible and interrupted; it may go on, as one that is given up
     * @throws BackendException if the call failed or its time is over
     */
    public T await() throws InterruptedException {
        boolean ended = false;
        try {
            ended = briefly.until(answer::isDone) || deadline.awaitEnd(answer);
        } finally {
            if (!ended) {
                giveUp();
            }
        }
        if (!ended) {
            throw deadline.noAnswer(answer);
        }
        return deadline.await(answer, SqlFailures.CLASSIFIER);
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
}
