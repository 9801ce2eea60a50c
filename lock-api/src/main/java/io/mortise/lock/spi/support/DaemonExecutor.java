// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on a few daemon threads, for calls of drivers that a caller must be able to leave. Threads start when there is
 * work and end when they were idle for five seconds. Tasks that find no thread free wait in line, first come first served; of
 * the free threads the one goes first that was busy last, because its caches are warm. Thread-safe.
 */
public final class DaemonExecutor implements Executor {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String name;
    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition allIdle = lock.newCondition();
    private final BriefWait untilCalled;

    /** Unlike an {@link java.util.ArrayDeque}, keeps its elements if there is no memory for one more. */
    private final Queue<Runnable> line = new ConcurrentLinkedQueue<>();

    /** The last one goes first. Has room for all workers, so that becoming idle needs no memory. */
    private final ArrayList<Worker> idle = new ArrayList<>();

    private final ArrayList<Worker> workers = new ArrayList<>();
    private int most;
    private boolean closed;
    private boolean interrupting;

    /**
     * Starts no thread yet.
     *
     * @param name the name of all its threads
     * @param most how many threads there are, and tasks run, at once at most; positive
     */
    public DaemonExecutor(String name, int most) {
        this(name, most, new BriefWait());
    }

    /**
     * Starts no thread yet.
     *
     * @param name the name of all its threads
     * @param most how many threads there are, and tasks run, at once at most; positive
     * @param untilCalled waits for the next task, and is shared with whoever waits for the ends of tasks
     */
    public DaemonExecutor(String name, int most, BriefWait untilCalled) {
        this(name, most, untilCalled, task -> new Thread(null, task, name, 0, false));
    }

    DaemonExecutor(String name, int most, ThreadFactory threads) {
        this(name, most, new BriefWait(), threads);
    }

    private DaemonExecutor(String name, int most, BriefWait untilCalled, ThreadFactory threads) {
        this.name = name;
        this.most = most;
        this.untilCalled = untilCalled;
        this.threads = threads;
    }

    /** One thread. Its fields are guarded by the lock, but it looks for its next task without. */
    private final class Worker {
        private final Thread thread = threads.newThread(this::run);
        private final Condition called = lock.newCondition();
        private final BooleanSupplier hasTask = this::hasTask;
        private volatile @Nullable Runnable task;

        private Worker(Runnable first) {
            thread.setName(name);
            thread.setDaemon(true);
            task = first;
        }

        private void run() {
            while (true) {
                Runnable next;
                try {
                    next = nextTask();
                } catch (Throwable outOfMemory) {
                    // A wait may need memory. What this thread was given meanwhile is kept.
                    LockSupport.parkNanos(PAUSE_NANOS);
                    continue;
                }
                if (next == null) {
                    return;
                }
                try {
                    next.run();
                } catch (Throwable failure) {
                    report(failure);
                }
            }
        }

        private void report(Throwable failure) {
            try {
                thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
            } catch (Throwable ignored) {
                // A handler that fails must not end the thread.
            }
        }

        private boolean hasTask() {
            return task != null;
        }

        /** The next task, which becomes the thread's own; null if the thread shall end. */
        private @Nullable Runnable nextTask() {
            lock.lock();
            try {
                if (!workers.contains(this)) {
                    // Its start was reported as failed.
                    return null;
                }
                if (task == null) {
                    task = line.poll();
                }
                if (task != null) {
                    return taken();
                }
                if (!idle.contains(this)) {
                    idle.add(this);
                }
                tellIfAllIdle();
            } finally {
                lock.unlock();
            }
            boolean unused = untilCalled.until(hasTask);
            lock.lock();
            try {
                awaitTask();
                return taken();
            } finally {
                lock.unlock();
            }
        }

        private @Nullable Runnable taken() {
            // An interrupt was meant for the task before.
            boolean unused = Thread.interrupted();
            if (interrupting) {
                thread.interrupt();
            }
            Runnable next = task;
            task = null;
            return next;
        }

        private void awaitTask() {
            try {
                long end = System.nanoTime() + IDLE_NANOS;
                long left = IDLE_NANOS;
                while (task == null && left > 0 && !closed) {
                    try {
                        left = called.awaitNanos(left);
                    } catch (InterruptedException late) {
                        left = end - System.nanoTime();
                    }
                }
                if (task == null) {
                    workers.remove(this);
                }
            } finally {
                if (task == null) {
                    idle.remove(this);
                }
            }
        }
    }

    private void tellIfAllIdle() {
        if (idle.size() == workers.size()) {
            allIdle.signalAll();
        }
    }

    /**
     * Lets more tasks run at once.
     *
     * @param most how many at most, not fewer than before
     */
    public void growTo(int most) {
        locked(() -> this.most = most);
    }

    /**
     * Runs a task now or later, on another thread. What the task throws goes to the thread's handler of uncaught exceptions.
     *
     * @throws RejectedExecutionException after {@link #shutdown}, {@link #shutdownNow} or {@link #close(Duration)}
     * @throws OutOfMemoryError if the system gives no thread or no memory; the task does not run then, and this executor
     *     stays usable
     */
    @Override
    public void execute(Runnable task) {
        locked(() -> {
            if (closed) {
                throw new RejectedExecutionException();
            }
            if (!idle.isEmpty()) {
                Worker warmest = idle.remove(idle.size() - 1);
                warmest.task = task;
                warmest.called.signal();
            } else if (workers.size() < most) {
                start(new Worker(task));
            } else {
                line.add(task);
            }
        });
    }

    /** Listed before it runs, so that no thread runs that is not counted. */
    private void start(Worker worker) {
        boolean started = false;
        try {
            idle.ensureCapacity(workers.size() + 1);
            workers.add(worker);
            worker.thread.start();
            started = true;
        } finally {
            if (!started) {
                workers.remove(worker);
                tellIfAllIdle();
            }
        }
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs a task and keeps what it answers or throws.
     *
     * @param <T> what it answers
     * @param task the task
     * @return completes when the task has ended
     * @throws RejectedExecutionException after {@link #shutdown}, {@link #shutdownNow} or {@link #close(Duration)}
     * @throws OutOfMemoryError if the system gives no thread or no memory; the task does not run then, and this executor
     *     stays usable
     */
    public <T> CompletableFuture<T> supply(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        execute(() -> {
            try {
                result.complete(task.get());
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    /**
     * Waits until no task is left, those included that tasks have asked for.
     *
     * @param end how long to wait at most, in the time of {@link System#nanoTime()}
     * @throws InterruptedException if the thread is interrupted
     */
    public void awaitIdle(long end) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = end - System.nanoTime();
            while (idle.size() < workers.size() && left > 0) {
                left = allIdle.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more tasks. Those that run and wait go on. Idempotent. */
    public void shutdown() {
        locked(() -> {
            closed = true;
            idle.forEach(worker -> worker.called.signal());
        });
    }

    /** Takes no more tasks and interrupts those that run. Those that wait run interrupted. Idempotent. */
    public void shutdownNow() {
        locked(() -> {
            shutdown();
            interrupting = true;
            for (Worker worker : workers) {
                if (!idle.contains(worker)) {
                    worker.thread.interrupt();
                }
            }
        });
    }

    /**
     * Takes no more tasks, waits for those that run and wait, and then drops those that still wait. A task that hangs is left
     * behind, uninterrupted. Idempotent.
     *
     * @param grace how long to wait at most; an interrupt ends the wait, and the flag stays set
     */
    public void close(Duration grace) {
        shutdown();
        boolean interrupted = Thread.interrupted();
        try {
            awaitIdle(System.nanoTime() + TimeUnit.NANOSECONDS.convert(grace));
        } catch (InterruptedException noTime) {
            interrupted = true;
        }
        locked(line::clear);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
