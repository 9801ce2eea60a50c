// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.pipeline;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs what is due, on one daemon thread that ends when it was idle for five seconds. Thread-safe. */
final class Deadlines implements AutoCloseable {
    private static final long IDLE_SECONDS = 5;

    private final ScheduledThreadPoolExecutor thread;

    Deadlines(String name) {
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(null, task, name, 0, false);
            made.setDaemon(true);
            return made;
        });
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs a task after some time, unless this is closed. */
    @SuppressWarnings("FutureReturnValueIgnored") // the task tells what it has to tell itself
    void after(long nanos, Runnable task) {
        try {
            thread.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // Whoever closes this has ended what the task would have looked at.
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
