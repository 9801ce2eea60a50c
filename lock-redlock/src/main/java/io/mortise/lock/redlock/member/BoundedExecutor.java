// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a few threads; what finds none free waits in line. Of the free ones that goes first which was busy last: its
 * caches are warm, and the others may end. Work does not throw. Daemons. Thread-safe.
 */
public final class BoundedExecutor implements Executor {
    private static final long IDLE_SECONDS = 5;

    private final int most;
    private final ThreadPoolExecutor threads;
    private final Queue<Runnable> line = new ArrayDeque<>();
    private int busy;

    public BoundedExecutor(String name, int most) {
        this.most = most;
        // This queue holds nothing: it hands over to the thread that came to it last.
        threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(null, work, name, 0, false);
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /**
     * Runs it now or later, on another thread.
     *
     * @throws RejectedExecutionException after {@link #shutdown}
     */
    @Override
    public void execute(Runnable work) {
        synchronized (line) {
            if (threads.isShutdown()) {
                throw new RejectedExecutionException();
            }
            if (busy == most) {
                line.add(work);
                return;
            }
            busy++;
        }
        try {
            threads.execute(() -> runFrom(work));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            leave();
            throw noThread;
        }
    }

    private void runFrom(Runnable first) {
        for (Runnable work = first; work != null; work = next()) {
            work.run();
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

    /** Waits until no work is left, that which work has asked for included, no longer than until {@code deadline}. */
    public void awaitIdle(long deadline) throws InterruptedException {
        synchronized (line) {
            long left = deadline - System.nanoTime();
            while (busy > 0 && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(line, left);
                left = deadline - System.nanoTime();
            }
        }
    }

    /** Takes no more work. What runs and waits goes on. */
    public void shutdown() {
        threads.shutdown();
    }

    /** Interrupts what runs. What waits runs interrupted. */
    public void shutdownNow() {
        threads.shutdownNow();
    }
}
