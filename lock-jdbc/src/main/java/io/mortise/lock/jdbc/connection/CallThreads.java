// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The few threads that talk to the database, so that a caller can leave a call that hangs, and that a caller's interrupt
 * never reaches a driver: H2 closes a whole database when an interrupt meets its file. Daemons, started when needed,
 * ended when idle, never interrupted while they run a call. Thread-safe.
 */
public final class CallThreads implements Executor, AutoCloseable {
    private static final long IDLE_SECONDS = 10;
    private static final long CLOSING_SECONDS = 1;

    private final ThreadPoolExecutor threads;

    public CallThreads() {
        threads = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), CallThreads::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable calls) {
        Thread thread = new Thread(null, calls, "lock-jdbc", 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** Sets how many calls may run at once; one until this is called. */
    public void growTo(int count) {
        threads.setMaximumPoolSize(count);
        threads.setCorePoolSize(count);
    }

    @Override
    public void execute(Runnable call) {
        threads.execute(call);
    }

    /** Takes no more calls and lets those that run or wait end, for a moment; one that hangs is left behind. */
    @Override
    public void close() {
        threads.shutdown();
        boolean interrupted = Thread.interrupted();
        try {
            if (!threads.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                threads.getQueue().clear();
            }
        } catch (InterruptedException noPatience) {
            interrupted = true;
            threads.getQueue().clear();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
