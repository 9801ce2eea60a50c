// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on a few daemon threads, for calls of drivers that a caller must be able to leave. Threads start when there is
 * work and end when they were idle for five seconds. Tasks that find no thread free wait in line, first come first served; of
 * the free threads the one goes first that was busy last, because its caches are warm. Thread-safe.
 */
public final class DaemonExecutor implements Executor, AutoCloseable {
    private static final long IDLE_SECONDS = 5;

    private final ThreadPoolExecutor threads;
    private final Queue<Runnable> line = new ArrayDeque<>();
    private int most;
    private int busy;

    /**
     * Starts no thread yet.
     *
     * @param name the name of all its threads
     * @param most how many tasks run at once at most, positive
     */
    public DaemonExecutor(String name, int most) {
        this.most = most;
        // This queue holds nothing: it hands over to the thread that came to it last.
        threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> daemon(name, task));
    }

    static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Lets more tasks run at once.
     *
     * @param most how many at most, not fewer than before
     */
    public void growTo(int most) {
        synchronized (line) {
            this.most = most;
        }
    }

    /**
     * Runs a task now or later, on another thread. What the task throws goes to the thread's handler of uncaught exceptions.
     *
     * @throws RejectedExecutionException after {@link #shutdown}, {@link #shutdownNow} or {@link #close}
     */
    @Override
    public void execute(Runnable task) {
        synchronized (line) {
            if (threads.isShutdown()) {
                throw new RejectedExecutionException();
            }
            if (busy >= most) {
                line.add(task);
                return;
            }
            busy++;
        }
        try {
            threads.execute(() -> runFrom(task));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            leave();
            throw noThread;
        }
    }

    /**
     * Runs a task and keeps what it answers or throws.
     *
     * @param <T> what it answers
     * @param task the task
     * @return completes when the task has ended
     * @throws RejectedExecutionException after {@link #shutdown}, {@link #shutdownNow} or {@link #close}
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

    private void runFrom(Runnable first) {
        for (Runnable task = first; task != null; task = next()) {
            try {
                task.run();
            } catch (Throwable failure) {
                Thread self = Thread.currentThread();
                self.getUncaughtExceptionHandler().uncaughtException(self, failure);
            }
        }
    }

    /** What a thread does next; null if it is free. */
    private @Nullable Runnable next() {
        synchronized (line) {
            Runnable waiting = line.poll();
            if (waiting == null) {
                leave();
            }
            return waiting;
        }
    }

    private void leave() {
        synchronized (line) {
            busy--;
            line.notifyAll();
        }
    }

    /**
     * Waits until no task is left, those included that tasks have asked for.
     *
     * @param end how long to wait at most, in the time of {@link System#nanoTime()}
     * @throws InterruptedException if the thread is interrupted
     */
    public void awaitIdle(long end) throws InterruptedException {
        synchronized (line) {
            long left = end - System.nanoTime();
            while (busy > 0 && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(line, left);
                left = end - System.nanoTime();
            }
        }
    }

    /** Takes no more tasks. Those that run and wait go on. Idempotent. */
    public void shutdown() {
        threads.shutdown();
    }

    /** Takes no more tasks and interrupts those that run. Those that wait run interrupted. Idempotent. */
    public void shutdownNow() {
        threads.shutdownNow();
    }

    /** As {@link #close(Duration)}, without waiting. */
    @Override
    public void close() {
        close(Duration.ZERO);
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
            awaitIdle(System.nanoTime() + grace.toNanos());
        } catch (InterruptedException noTime) {
            interrupted = true;
        }
        synchronized (line) {
            line.clear();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
