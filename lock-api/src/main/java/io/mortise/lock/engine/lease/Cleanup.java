// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Threads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Releases in the background what could not be released in the foreground: claims of lost leases, of unanswered
 * requests, and of calls that were given up. Tries again until the store answers, or until the store has let go by
 * itself. Thread-safe.
 */
public final class Cleanup {
    private static final Logger LOG = System.getLogger(Cleanup.class.getName());
    private static final long FIRST_PAUSE = 50_000_000;
    private static final long LONGEST_PAUSE = 2_000_000_000;

    /** A claim that may still hold something, until when it can, when to try next, and how long to wait after that. */
    private record PendingRelease(String lock, ClaimRelease release, long forgetAt, long tryAt, long pause) {}

    private final Ticker ticker;
    private final Executor workers;
    private final Duration callTimeout;
    private final PriorityQueue<PendingRelease> pending =
            new PriorityQueue<>((one, two) -> Long.signum(one.tryAt - two.tryAt));
    private @Nullable Thread runner;
    private boolean running;
    private boolean closed;

    Cleanup(Ticker ticker, Executor workers, Duration callTimeout) {
        this.ticker = ticker;
        this.workers = workers;
        this.callTimeout = callTimeout;
    }

    /** Releases a claim whose lease lasts at most so long, now and once more when its unfinished call has ended. */
    public void release(String lock, ClaimRelease release, long leaseNanos) {
        // The last call on the claim may take its whole time-out to arrive, and grants for one lease then.
        long forgetAt = ticker.nanos() + leaseNanos + 2 * callTimeout.toNanos();
        Runnable now = () -> add(new PendingRelease(lock, release, forgetAt, ticker.nanos(), FIRST_PAUSE));
        CompletionStage<?> unfinished = release.unfinished();
        if (unfinished != null) {
            unfinished.whenComplete((value, failure) -> now.run());
        }
        now.run();
    }

    public synchronized boolean isIdle() {
        return !running;
    }

    /** Tries no more; locks that are not released yet are free when their leases end. */
    public synchronized void close() {
        closed = true;
        LockSupport.unpark(runner);
    }

    /** Never throws: it is called in the midst of locking. */
    private void add(PendingRelease added) {
        synchronized (this) {
            pending.add(added);
            if (closed || running) {
                LockSupport.unpark(runner);
                return;
            }
            running = true;
        }
        if (!Threads.tryRun(workers, this::run, "release locks; it is tried again with the next release")) {
            synchronized (this) {
                running = false;
            }
        }
    }

    private void run() {
        PendingRelease due = next();
        while (due != null) {
            try {
                due.release.release(ticker, callTimeout);
            } catch (RuntimeException noAnswer) {
                again(due, noAnswer);
            }
            due = next();
        }
    }

    /** The next release when its time has come; null when there are none. */
    private @Nullable PendingRelease next() {
        while (true) {
            long tryAt;
            synchronized (this) {
                PendingRelease first = closed ? null : pending.peek();
                running = first != null;
                runner = running ? Thread.currentThread() : null;
                if (first == null || first.tryAt - ticker.nanos() <= 0) {
                    return first == null ? null : pending.remove();
                }
                tryAt = first.tryAt;
            }
            ticker.parkUntil(this, tryAt);
        }
    }

    private void again(PendingRelease failed, RuntimeException noAnswer) {
        long now = ticker.nanos();
        if (failed.forgetAt - now <= 0) {
            LOG.log(
                    Level.DEBUG,
                    () -> "lock '" + failed.lock + "' was left to its lease: the store did not answer",
                    noAnswer);
            return;
        }
        long nextPause = Math.min(LONGEST_PAUSE, failed.pause * 2);
        synchronized (this) {
            pending.add(
                    new PendingRelease(failed.lock, failed.release, failed.forgetAt, now + failed.pause, nextPause));
        }
    }
}
