// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs blocking work on a thread of its own. Thread-safe. */
public final class BackgroundTask<T> {
    private final String what;
    private final FutureTask<T> task;
    private final Thread thread;

    /** Starts it; {@code what} is a short name. */
    public BackgroundTask(String what, Callable<T> work) {
        this.what = what;
        task = new FutureTask<>(work);
        thread = new Thread(task, "tck " + what);
        thread.setDaemon(true);
        thread.start();
    }

    public Thread thread() {
        return thread;
    }

    /** True once it has ended, in any way. */
    public boolean isDone() {
        return task.isDone();
    }

    /** Whether its thread waits for something. */
    public boolean isWaiting() {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }

    /** Waits for the answer; fails the case if there is none in time. */
    public T get(Duration atMost) throws Exception {
        try {
            return task.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            AssertionError failure =
                    new AssertionError(what + " did not end within " + atMost.toMillis() + " ms; it is at the cause");
            Throwable where = new Throwable("stack of " + thread.getName());
            where.setStackTrace(thread.getStackTrace());
            failure.initCause(where);
            throw failure;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception original) {
                throw original;
            }
            throw new AssertionError(what + " failed", failed.getCause());
        }
    }

    /** Ends it, if need be by an interrupt. True if it has ended. */
    boolean stop(Duration atMost) throws InterruptedException {
        thread.join(1);
        if (thread.isAlive()) {
            thread.interrupt();
            thread.join(Math.max(1, atMost.toMillis()));
        }
        return !thread.isAlive();
    }
}
