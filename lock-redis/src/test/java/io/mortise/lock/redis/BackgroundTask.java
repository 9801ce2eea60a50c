// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Work on a thread of its own, for what blocks. Its thread is a daemon.
 *
 * @param <T> what it answers
 */
final class BackgroundTask<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private BackgroundTask(Callable<T> work) {
        task = new FutureTask<>(work);
        thread = new Thread(task, "aside");
        thread.setDaemon(true);
        thread.start();
    }

    static <T> BackgroundTask<T> start(Callable<T> work) {
        return new BackgroundTask<>(work);
    }

    boolean isDone() {
        return task.isDone();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** What it answers, if it does so in time. */
    T within(Duration time) throws Exception {
        return task.get(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** What it answers, in a minute at most. */
    T get() throws Exception {
        return within(Duration.ofMinutes(1));
    }
}
