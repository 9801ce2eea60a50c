// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One store of the quorum. Has threads of its own, so that one that hangs holds up nobody else; daemons, ended when idle.
 * Thread-safe.
 */
final class Member {
    private static final int MOST_THREADS = 8;
    private static final long IDLE_SECONDS = 5;

    /** A question to this store. */
    interface Question<T> {
        T ask(Duration atMost) throws InterruptedException;
    }

    private final String name;
    private final LockBackend backend;
    private final ThreadPoolExecutor threads;
    private final Object idle = new Object();
    private int asked;
    private volatile boolean failing;
    private volatile boolean met;
    private volatile @Nullable StoreRun run;
    private long metAt;

    Member(String name, LockBackend backend) {
        this.name = name;
        this.backend = backend;
        threads = new ThreadPoolExecutor(
                MOST_THREADS, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(null, work, "lock-redlock " + name, 0, false);
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** What messages call it; without secrets. */
    String name() {
        return name;
    }

    LockBackend backend() {
        return backend;
    }

    /** Whether the last question that ended had no answer. */
    boolean isFailing() {
        return failing;
    }

    /** Whether it has ever answered, or cannot be waited for. */
    boolean isMet() {
        return met || failing;
    }

    /** The run of its process that was met last; null if it was not met yet or does not tell. */
    @Nullable
    StoreRun run() {
        return run;
    }

    /**
     * Takes note of the run that has answered. It counts its age by the server's clock, which may have been set since: the
     * least age that it ever told counts, and one that says to have run beside its predecessor has only just begun.
     *
     * @return what is to be believed of it
     */
    synchronized StoreRun met(StoreRun told) {
        StoreRun before = run;
        long startedBy = told.startedBy();
        if (before != null && before.id().equals(told.id())) {
            startedBy = before.startedBy() - startedBy > 0 ? before.startedBy() : startedBy;
        } else if (before != null && startedBy - metAt < 0) {
            startedBy = System.nanoTime();
        }
        StoreRun believed = new StoreRun(told.id(), startedBy, told.clockAhead());
        run = believed;
        metAt = System.nanoTime();
        return believed;
    }

    /** Asks on another thread. The time begins now, so that what waits for a thread for too long is not asked any more. */
    <T> CompletableFuture<T> ask(Duration atMost, Question<T> question) {
        long end = System.nanoTime() + atMost.toNanos();
        CompletableFuture<T> answer = new CompletableFuture<>();
        count(1);
        try {
            threads.execute(() -> {
                try {
                    answer(question, end, answer);
                } finally {
                    count(-1);
                }
            });
        } catch (RejectedExecutionException closed) {
            count(-1);
            answer.completeExceptionally(new BackendException("this client of the quorum is closed", null));
        }
        return answer;
    }

    private void count(int more) {
        synchronized (idle) {
            asked += more;
            idle.notifyAll();
        }
    }

    private <T> void answer(Question<T> question, long end, CompletableFuture<T> answer) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            answer.completeExceptionally(new BackendException("had too many questions to answer in time", null));
            return;
        }
        try {
            T told = question.ask(Duration.ofNanos(left));
            failing = false;
            met = true;
            answer.complete(told);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(new BackendException("this client of the quorum is closing", closing));
        } catch (Throwable failure) {
            failing = true;
            answer.completeExceptionally(failure);
        }
    }

    /** Waits for what is asked, and for what follows from it, no longer than until {@code deadline}. */
    void awaitIdle(long deadline) throws InterruptedException {
        synchronized (idle) {
            long left = deadline - System.nanoTime();
            while (asked > 0 && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(idle, left);
                left = deadline - System.nanoTime();
            }
        }
    }

    /** Closes the store's client, and ends the threads. */
    void close() {
        threads.shutdown();
        try {
            backend.close();
        } finally {
            threads.shutdownNow();
        }
    }
}
