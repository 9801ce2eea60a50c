// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts tasks of one kind on the client's threads, and knows whether the system gives no thread. To be refused one takes
 * milliseconds, so that the timer alone tries then, at most once in each of its rounds. Logs nothing itself, since a log may block and
 * its callers must not: the next worker that starts does. Thread-safe.
 */
public final class WorkerStarter {
    private static final Logger LOG = System.getLogger(WorkerStarter.class.getName());

    private final Executor workers;
    private final String purpose;
    private volatile BooleanSupplier tryAgainSoon = () -> false;
    private volatile boolean refused;
    /** The first of the refusals in a row, until it is logged. */
    private final AtomicReference<@Nullable Throwable> unlogged = new AtomicReference<>();

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
     * Runs a task on a worker. Returns whether it will be run; why not is logged when one can be run again, once in a row. Never
     * throws: it is called in the midst of locking.
     */
    @SuppressWarnings("CatchingUnchecked")
    public boolean tryRun(Runnable task) {
        try {
            workers.execute(unlogged.get() == null ? task : () -> runAndLog(task));
            refused = false;
            return true;
        } catch (Throwable noThread) {
            if (!refused) {
                unlogged.set(noThread);
            }
            refused = true;
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

    /** Logs after the task, which a log that blocks must not hold up. */
    private void runAndLog(Runnable task) {
        try {
            task.run();
        } finally {
            Throwable noThread = unlogged.getAndSet(null);
            if (noThread != null) {
                log(noThread);
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void log(Throwable noThread) {
        try {
            Level level = noThread instanceof RejectedExecutionException ? Level.DEBUG : Level.WARNING;
            LOG.log(level, () -> "for a while no thread could be started to " + purpose, noThread);
        } catch (Throwable unloggable) {
            // Without memory, or with a logger that fails: whoever asked is told by the answer.
        }
    }
}
