// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on a few of the client's threads, first come first served. What was given to it is run once, also if no thread can
 * be had for a while. Giving it a task needs no memory, since the queue is made of the tasks themselves. Thread-safe.
 */
public final class WorkQueue {
    private static final Logger LOG = System.getLogger(WorkQueue.class.getName());

    private final WorkerStarter starter;
    private final int mostWorkers;
    private final String what;
    /** Made before it is needed: starting a thread must not fail for want of memory after it was counted. */
    private final Runnable worker = this::work;

    private final BooleanSupplier start = this::start;

    private @Nullable Task first;
    private @Nullable Task last;
    private int running;

    /**
     * Nothing to do yet.
     *
     * @param what what it runs, for the log
     */
    public WorkQueue(Executor workers, int mostWorkers, String what) {
        this.starter = new WorkerStarter(workers, "run " + what);
        this.mostWorkers = mostWorkers;
        this.what = what;
    }

    /** Something that will be run. Made before it is needed; waits for its turn once at a time. */
    public abstract static class Task {
        private @Nullable Task next;
        private boolean queued;

        /** Runs once for each time that it had its turn; what it throws is logged. */
        protected abstract void run();
    }

    /** As {@link WorkerStarter#whenNoThread}. */
    public void whenNoThread(BooleanSupplier tryAgainSoon) {
        starter.whenNoThread(tryAgainSoon);
    }

    /** Runs a task soon. Never throws: it is called in the midst of locking. */
    public void run(Task task) {
        synchronized (this) {
            if (task.queued) {
                return;
            }
            task.queued = true;
            if (last == null) {
                first = task;
            } else {
                last.next = task;
            }
            last = task;
        }
        starter.startSoon(start);
    }

    /** Starts a thread if something waits for one. False if there was none to be had: then to be called again soon. */
    public boolean start() {
        synchronized (this) {
            if (first == null || running >= mostWorkers) {
                return true;
            }
            running++;
        }
        boolean started = false;
        try {
            started = starter.tryRun(worker);
        } finally {
            if (!started) {
                synchronized (this) {
                    running--;
                    started = running > 0;
                }
            }
        }
        return started;
    }

    /** As {@link #start()}; without a thread the calling one runs what waits. */
    public void startOrRun() {
        if (!start()) {
            synchronized (this) {
                running++;
            }
            work();
        }
    }

    private void work() {
        for (Task task = next(); task != null; task = next()) {
            guarded(task);
        }
    }

    private synchronized @Nullable Task next() {
        Task task = first;
        if (task == null) {
            running--;
            return null;
        }
        first = task.next;
        if (first == null) {
            last = null;
        }
        task.next = null;
        task.queued = false;
        return task;
    }

    @SuppressWarnings("CatchingUnchecked")
    private void guarded(Task task) {
        try {
            task.run();
        } catch (Throwable failure) {
            try {
                LOG.log(Level.WARNING, () -> what + " failed", failure);
            } catch (Throwable unloggable) {
                // A logger that fails, or for which no memory is left, must not end the thread.
            }
        } finally {
            // An interrupt that it has left behind is not for the next.
            boolean unused = Thread.interrupted();
        }
    }
}
