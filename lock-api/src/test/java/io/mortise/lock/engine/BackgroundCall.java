// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Runs a call that may block on a thread of its own. Thread-safe. */
public final class BackgroundCall<T> {
    private static final long PATIENCE_SECONDS = 10;

    private final FutureTask<T> task;
    private final Thread thread;

    private BackgroundCall(Callable<T> call) {
        task = new FutureTask<>(call);
        thread = new Thread(task, "caller");
        thread.setDaemon(true);
    }

    /** What a call without result does. */
    public interface Action {
        void run() throws Exception;
    }

    public static <T> BackgroundCall<T> start(Callable<T> call) {
        BackgroundCall<T> started = new BackgroundCall<>(call);
        started.thread.start();
        return started;
    }

    /** Like {@link #start}, for a call without result: it answers true. */
    public static BackgroundCall<Boolean> startAction(Action action) {
        return start(() -> {
            action.run();
            return true;
        });
    }

    public Thread thread() {
        return thread;
    }

    public boolean isDone() {
        return task.isDone();
    }

    /** Blocks until the thread waits for something, or the call has ended. */
    public BackgroundCall<T> awaitWaiting() {
        long start = System.nanoTime();
        while (!isDone()
                && thread.getState() != Thread.State.WAITING
                && thread.getState() != Thread.State.TIMED_WAITING) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError("the thread is " + thread.getState());
            }
            LockSupport.parkNanos(100_000);
        }
        return this;
    }

    /** The answer; fails the test if there is none in time. */
    public T get() throws Exception {
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception original) {
                throw original;
            }
            throw failed;
        } catch (TimeoutException late) {
            throw stuck();
        }
    }

    /** What the call threw; fails the test if it has not ended in time, or with an answer. */
    public Throwable failure() throws InterruptedException {
        try {
            throw new AssertionError(
                    "the call threw nothing and answered " + task.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException failed) {
            return Objects.requireNonNull(failed.getCause());
        } catch (TimeoutException late) {
            throw stuck();
        }
    }

    private AssertionError stuck() {
        AssertionError failure = new AssertionError("the call has not ended; it is at the cause");
        Throwable where = new Throwable("stack of the caller");
        where.setStackTrace(thread.getStackTrace());
        failure.initCause(where);
        return failure;
    }
}
