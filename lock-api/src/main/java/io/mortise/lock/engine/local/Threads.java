// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts the threads of a client. All are daemons. */
public final class Threads {
    private static final Logger LOG = System.getLogger(Threads.class.getName());

    private Threads() {}

    public static Thread start(String name, Runnable body) {
        Thread thread = daemon(name, body);
        thread.start();
        return thread;
    }

    /**
     * Runs a task on a worker. Returns whether it will be run, and logs why if it will not. Never throws: it is called in the
     * midst of locking.
     *
     * @param purpose what the thread is needed for, for the log
     */
    @SuppressWarnings("CatchingUnchecked")
    public static boolean tryRun(Executor workers, Runnable task, String purpose) {
        try {
            workers.execute(task);
            return true;
        } catch (Throwable noThread) {
            logged(purpose, noThread);
        }
        return false;
    }

    @SuppressWarnings("CatchingUnchecked")
    private static void logged(String purpose, Throwable noThread) {
        try {
            if (noThread instanceof RejectedExecutionException) {
                LOG.log(Level.DEBUG, "the client was closed before a thread was needed to {0}", purpose);
            } else {
                LOG.log(
                        Level.WARNING,
                        () -> "no thread could be started to " + purpose + "; it is tried again",
                        noThread);
            }
        } catch (Throwable unloggable) {
            // Without memory, or with a logger that fails: whoever asked is told by the answer.
        }
    }

    /** A pool of as many threads as there are tasks at one time; a thread that was idle for so many seconds ends. */
    public static ThreadPoolExecutor pool(String name, int idleSeconds) {
        AtomicInteger number = new AtomicInteger();
        ThreadFactory factory = body -> daemon(name + "-" + number.incrementAndGet(), body);
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, idleSeconds, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    private static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 0, false);
        thread.setDaemon(true);
        return thread;
    }
}
