// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/**
 * Starts tasks of one kind on the client's threads, and knows whether the system gives no thread. To be refused one takes
 * milliseconds, so that the timer alone tries then, at most once in each of its rounds. Thread-safe.
 */
public final class WorkerStarter {
    private static final Logger LOG = System.getLogger(WorkerStarter.class.getName());

    private final Executor workers;
    private final String purpose;
    private volatile BooleanSupplier tryAgainSoon = () -> false;
    private volatile boolean refused;

    /**
     * Has not been refused a thread.
     *
     * @param purpose what the threads are needed for, for the log
     */
    public WorkerStarter(Executor workers, String purpose) {
        this.workers = workers;
        this.purpose = purpose;
    }

    /** Says how to let the timer start soon what found no thread: quick, never throws; false if there is no timer to do it. */
    public void whenNoThread(BooleanSupplier soon) {
        tryAgainSoon = soon;
    }

    /**
     * Runs a task on a worker. Returns whether it will be run, and logs why if it will not, once in a row. Never throws: it is
     * called in the midst of locking.
     */
    @SuppressWarnings("CatchingUnchecked")
    public boolean tryRun(Runnable task) {
        try {
            workers.execute(task);
            refused = false;
            return true;
        } catch (Throwable noThread) {
            boolean again = refused;
            refused = true;
            if (!again) {
                log(noThread);
            }
            return false;
        }
    }

    /** Starts something by {@code start}, which answers whether it is started, now or, if no thread can be had, soon. */
    public void startSoon(BooleanSupplier start) {
        boolean left = refused && tryAgainSoon.getAsBoolean();
        if (!left && !start.getAsBoolean()) {
            boolean unused = tryAgainSoon.getAsBoolean();
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void log(Throwable noThread) {
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
}
