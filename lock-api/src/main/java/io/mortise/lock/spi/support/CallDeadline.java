// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of one call of the SPI, which also decides what an interrupt of the calling thread does to the call.
 *
 * <p>A backend runs the body of each {@link io.mortise.lock.spi.Claim} method through {@link #interruptibly} or
 * {@link #uninterruptibly} and waits through the deadline that it is given: {@link #await}, {@link #awaitEnd},
 * {@link #poll} and {@link #pause}. An interrupt ends an interruptible call at once or at its next wait, with
 * {@link InterruptedException}. An uninterruptible call goes on; the thread's interrupt flag is cleared when it begins
 * and at each of its waits, and set again when it has ended.
 *
 * <p>Time is that of {@link System#nanoTime()} and runs from the start of the call. The deadline is read by any thread; its
 * methods that wait are for the calling thread alone.
 */
public final class CallDeadline {
    /**
     * The body of a call.
     *
     * @param <T> what it answers
     */
    @FunctionalInterface
    public interface Body<T> {
        /**
         * Does the work of the call.
         *
         * @param deadline by when it must have ended; waits go through it
         * @return the answer
         * @throws InterruptedException only if the deadline threw it
         */
        T run(CallDeadline deadline) throws InterruptedException;
    }

    private final String store;
    private final Duration atMost;
    private final boolean interruptible;
    private final long start;
    private final long end;

    /** That the thread was interrupted during an uninterruptible call; one for a call and all its parts. */
    private final AtomicBoolean flag;

    private CallDeadline(
            String store, Duration atMost, boolean interruptible, long start, long end, AtomicBoolean flag) {
        this.store = store;
        this.atMost = atMost;
        this.interruptible = interruptible;
        this.start = start;
        this.end = end;
        this.flag = flag;
    }

    private static CallDeadline begin(String store, Duration atMost, boolean interruptible) {
        long now = System.nanoTime();
        return new CallDeadline(store, atMost, interruptible, now, now + nanos(atMost), new AtomicBoolean());
    }

    /**
     * Runs a call that an interrupt ends, as {@link io.mortise.lock.spi.Claim#tryAcquire} is.
     *
     * @param <T> what the call answers
     * @param store the store's name as it stands in messages, such as {@code Redis}
     * @param atMost how long the call may take, positive
     * @param body the call
     * @return what the body answers
     * @throws InterruptedException if the thread is interrupted before the call or during one of its waits; the flag is then
     *     clear
     */
    public static <T> T interruptibly(String store, Duration atMost, Body<T> body) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before " + store + " was asked");
        }
        return body.run(begin(store, atMost, true));
    }

    /**
     * Runs a call that ignores interrupts, as all but {@link io.mortise.lock.spi.Claim#tryAcquire} are. A thread that was
     * interrupted before or during the call has its flag set afterwards.
     *
     * @param <T> what the call answers
     * @param store the store's name as it stands in messages, such as {@code Redis}
     * @param atMost how long the call may take, positive
     * @param body the call
     * @return what the body answers
     * @throws BackendException if the body throws {@link InterruptedException}, as a wait of a driver's own may
     */
    public static <T> T uninterruptibly(String store, Duration atMost, Body<T> body) {
        CallDeadline deadline = begin(store, atMost, false);
        deadline.flag.set(Thread.interrupted());
        try {
            return body.run(deadline);
        } catch (InterruptedException interrupt) {
            // A driver's own wait: the deadline's waits do not throw here.
            deadline.flag.set(true);
            throw new BackendException("interrupted while " + store + " was asked", interrupt);
        } finally {
            if (deadline.flag.get()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** {@return when the call began, in the time of {@link System#nanoTime()}} */
    public long startNanos() {
        return start;
    }

    /** {@return how long the whole call may take} */
    public Duration atMost() {
        return atMost;
    }

    /** {@return how many nanoseconds are left; zero or less if the time is over} */
    public long remainingNanos() {
        return end - System.nanoTime();
    }

    /**
     * {@return how many milliseconds are left, at least 1: for drivers that take zero for no limit}
     *
     * @throws BackendException if the time is over
     */
    public int remainingMillis() {
        long remaining = remainingNanos();
        if (remaining <= 0) {
            throw noAnswer(null);
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, TimeUnit.NANOSECONDS.toMillis(remaining)));
    }

    /** {@return whether the time is over} */
    public boolean hasPassed() {
        return remainingNanos() <= 0;
    }

    /**
     * {@return a deadline for a part of the call, which waits like this one: the earlier of this deadline and the limit}
     *
     * @param limit how long the part may take from now
     */
    public CallDeadline within(Duration limit) {
        long now = System.nanoTime();
        return new CallDeadline(store, atMost, interruptible, start, now + Math.min(end - now, nanos(limit)), flag);
    }

    /** At most 292 years; the arithmetic with moments then still comes out right. */
    private static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /**
     * {@return the exception that says that the store did not answer in time; its {@link BackendException#end()} is
     * that of the request}
     *
     * @param request the request that may still be under way, or null if none is
     */
    public BackendException noAnswer(@Nullable CompletableFuture<?> request) {
        return new BackendException(
                store + " did not answer within " + atMost.toMillis() + " ms",
                null,
                request == null || request.isDone() ? null : request);
    }

    /**
     * Waits for the answer to a request.
     *
     * @param <T> the answer
     * @param request completes with the answer
     * @return the answer
     * @throws ExecutionException if the request failed or was cancelled
     * @throws BackendException if there is no answer in time; its {@link BackendException#end()} is that of the request
     * @throws InterruptedException if the thread is interrupted and the call is interruptible
     */
    public <T> T await(CompletableFuture<T> request) throws ExecutionException, InterruptedException {
        if (!awaitEnd(request)) {
            throw noAnswer(request);
        }
        try {
            return request.get();
        } catch (CancellationException cancelled) {
            throw new ExecutionException(cancelled);
        }
    }

    /**
     * Waits for the answer to a request and tells its failure as the store's classifier does.
     *
     * @param <T> the answer
     * @param request completes with the answer
     * @param failures says what a failure of the request means
     * @return the answer
     * @throws BackendException if there is no answer in time, or if this is what the failure means
     * @throws InterruptedException if the thread is interrupted and the call is interruptible
     */
    public <T> T await(CompletableFuture<T> request, FailureClassifier failures) throws InterruptedException {
        try {
            return await(request);
        } catch (ExecutionException failed) {
            throw failures.exceptionFor(failed);
        }
    }

    /**
     * Waits until a request has ended, in whatever way.
     *
     * @param request the request
     * @return true if it has ended, false if the time is over
     * @throws InterruptedException if the thread is interrupted and the call is interruptible
     */
    public boolean awaitEnd(CompletableFuture<?> request) throws InterruptedException {
        return driverWait(deadline -> {
            try {
                request.get(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
                return true;
            } catch (ExecutionException | CancellationException ended) {
                return true;
            } catch (TimeoutException late) {
                return request.isDone();
            }
        });
    }

    /**
     * Waits for the next element of a queue, such as the next of several requests that end in any order.
     *
     * @param <T> the element
     * @param queue is filled by other threads
     * @return the element, or null if there is none in time
     * @throws InterruptedException if the thread is interrupted and the call is interruptible
     */
    public <T> @Nullable T poll(BlockingQueue<T> queue) throws InterruptedException {
        return driverWait(deadline -> queue.poll(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS));
    }

    /**
     * Lets some time pass.
     *
     * @param nanos how long, but never longer than until this deadline
     * @throws InterruptedException if the thread is interrupted and the call is interruptible
     */
    public void pause(long nanos) throws InterruptedException {
        within(Duration.ofNanos(nanos)).awaitEnd(new CompletableFuture<>());
    }

    /**
     * Makes a wait of the driver's own, such as for a connection of a pool. In a call that ignores interrupts, a wait
     * that an interrupt ended is made again.
     *
     * @param <T> what is waited for
     * @param wait the wait; asks this deadline how long it may take, and so ends when the time is over
     * @return what the wait answers
     * @throws InterruptedException if the thread is interrupted and the call is interruptible
     */
    public <T> T driverWait(Body<T> wait) throws InterruptedException {
        while (true) {
            try {
                return wait.run(this);
            } catch (InterruptedException interrupt) {
                if (interruptible) {
                    throw interrupt;
                }
                flag.set(true);
            }
        }
    }
}
