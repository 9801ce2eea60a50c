// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.DaemonExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/** The threads on which one member is asked what only a thread that waits can ask. Thread-safe. */
final class QuestionThreads {
    private static final int MOST_THREADS = 8;

    private final DaemonExecutor threads;

    /** A question to the store, which waits for the answer no longer than {@code atMost}. */
    interface Question<T> {
        T ask(Duration atMost) throws InterruptedException;
    }

    QuestionThreads(String member) {
        threads = new DaemonExecutor("lock-redlock " + member, MOST_THREADS);
    }

    /** Asks the store on another thread, unless the question waits for that thread longer than {@code atMost}. */
    <T> CompletableFuture<T> ask(Duration atMost, Question<T> question) {
        long end = System.nanoTime() + atMost.toNanos();
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> answer(question, end, answer));
        } catch (RejectedExecutionException closed) {
            answer.completeExceptionally(BackendException.closed("the quorum"));
        }
        return answer;
    }

    private static <T> void answer(Question<T> question, long end, CompletableFuture<T> answer) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            answer.completeExceptionally(Member.tooBusy());
            return;
        }
        try {
            answer.complete(question.ask(Duration.ofNanos(left)));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(new BackendException("this client of the quorum is closing", closing));
        } catch (Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    void awaitIdle(long deadline) throws InterruptedException {
        threads.awaitIdle(deadline);
    }

    void shutdown() {
        threads.shutdown();
    }

    void shutdownNow() {
        threads.shutdownNow();
    }
}
