// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreRun;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One store of the quorum. Has threads of its own, so that one that hangs holds up nobody else; daemons, ended when idle.
 * Thread-safe.
 */
public final class Member {
    private static final int MOST_THREADS = 8;

    /** A question to this store. */
    public interface Question<T> {
        T ask(Duration atMost) throws InterruptedException;
    }

    private final String name;
    private final LockBackend backend;
    private final BoundedExecutor threads;
    private final Map<String, CompletableFuture<?>> leaving = new ConcurrentHashMap<>();
    private volatile boolean failing;
    private volatile boolean met;
    private volatile @Nullable StoreRun run;
    private long metAt;

    public Member(String name, LockBackend backend) {
        this.name = name;
        this.backend = backend;
        threads = new BoundedExecutor("lock-redlock " + name, MOST_THREADS);
    }

    /** What messages call it; without secrets. */
    public String name() {
        return name;
    }

    public LockBackend backend() {
        return backend;
    }

    /** Whether the last question that ended had no answer. */
    public boolean isFailing() {
        return failing;
    }

    /** Whether it has ever answered, or cannot be waited for. */
    public boolean isMet() {
        return met || failing;
    }

    /** The run of its process that was met last; null if it was not met yet or does not tell. */
    @Nullable
    public StoreRun run() {
        return run;
    }

    /**
     * Takes note of the run that has answered. It counts its age by the server's clock, which may have been set since: the
     * least age that it ever told counts, and one that says to have run beside its predecessor has only just begun.
     *
     * @return what is to be believed of it
     */
    public synchronized StoreRun met(StoreRun told) {
        StoreRun before = run;
        long startedBefore = told.startedBefore();
        if (before != null && before.id().equals(told.id())) {
            startedBefore = before.startedBefore() - startedBefore > 0 ? before.startedBefore() : startedBefore;
        } else if (before != null && startedBefore - metAt < 0) {
            startedBefore = System.nanoTime();
        }
        StoreRun believed = new StoreRun(told.id(), startedBefore, told.clockAheadMicros());
        run = believed;
        metAt = System.nanoTime();
        return believed;
    }

    /** Asks on another thread. The time begins now, so that what waits for a thread for too long is not asked any more. */
    public <T> CompletableFuture<T> ask(Duration atMost, Question<T> question) {
        return askBy(System.nanoTime() + atMost.toNanos(), question);
    }

    /** The same about a lock, after what this client is still giving up of it here. */
    public <T> CompletableFuture<T> askFor(String lock, Duration atMost, Question<T> question) {
        CompletableFuture<?> earlier = leaving.get(lock);
        long end = System.nanoTime() + atMost.toNanos();
        return earlier == null
                ? askBy(end, question)
                : earlier.handle((x, failure) -> failure).thenCompose(x -> askBy(end, question));
    }

    private <T> CompletableFuture<T> askBy(long end, Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> answer(question, end, answer));
        } catch (RejectedExecutionException closed) {
            answer.completeExceptionally(new BackendException("this client of the quorum is closed", null));
        }
        return answer;
    }

    /** Takes note that this client is giving up a lock here. */
    public <T> CompletableFuture<T> leave(String lock, CompletableFuture<T> left) {
        if (!left.isDone()) {
            leaving.put(lock, left);
            return left.whenComplete((x, failure) -> leaving.remove(lock, left));
        }
        return left;
    }

    private <T> void answer(Question<T> question, long end, CompletableFuture<T> answer) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            answer.completeExceptionally(new BackendException("was busy with earlier questions for too long", null));
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
    public void awaitIdle(long deadline) throws InterruptedException {
        threads.awaitIdle(deadline);
    }

    /** Closes the store's client, and ends the threads. */
    public void close() {
        threads.shutdown();
        try {
            backend.close();
        } finally {
            threads.shutdownNow();
        }
    }
}
