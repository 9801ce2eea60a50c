// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks at scheduled times, on one daemon thread of its own that starts with the first task. For short tasks: one
 * that blocks delays all others. Thread-safe.
 */
public final class DaemonScheduler implements AutoCloseable {
    private final ScheduledThreadPoolExecutor thread;

    public DaemonScheduler(String name) {
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(null, task, name, 0, false);
            daemon.setDaemon(true);
            return daemon;
        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Runs a task once, unless it is cancelled or this is closed by then. The future cancels it, and is complete already if
     * this is closed.
     */
    public Future<?> after(long nanos, Runnable task) {
        try {
            return thread.schedule(task, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Runs no further task; one that runs now goes on. Idempotent. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
