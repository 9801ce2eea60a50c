// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What has to happen at its time: the one thread of a backend, a daemon. It waits for nothing but the time. Thread-safe. */
public final class Housekeeping implements AutoCloseable {
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, Housekeeping::thread);

    public Housekeeping() {
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    private static Thread thread(Runnable tasks) {
        Thread thread = new Thread(null, tasks, "lock-zookeeper", 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** Does something once, unless it is cancelled or this is closed by then. */
    public Future<?> after(long nanos, Runnable task) {
        try {
            return thread.schedule(task, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
