// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Ticker;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Releases in the background what could not be released in the foreground: claims of lost leases, of unanswered tries and
 * releases, of calls that were given up. Tries again until the store answers, or until the store has let go by itself.
 * Thread-safe.
 */
final class Cleanup {
    private static final Logger LOG = System.getLogger(Cleanup.class.getName());
    private static final long FIRST_PAUSE = 50_000_000;
    private static final long LONGEST_PAUSE = 2_000_000_000;

    /** A claim that may still hold something, until when it can, and how often the store did not answer. */
    private static final class Debt {
        private final String lock;
        private final Settlement settlement;
        private final long forgetAt;
        private long pause = FIRST_PAUSE;

        private Debt(String lock, Settlement settlement, long forgetAt) {
            this.lock = lock;
            this.settlement = settlement;
            this.forgetAt = forgetAt;
        }
    }

    private final Ticker ticker;
    private final Executor workers;
    private final Duration callTimeout;
    private final Deque<Debt> debts = new ArrayDeque<>();
    private boolean running;
    private volatile boolean closed;

    Cleanup(Ticker ticker, Executor workers, Duration callTimeout) {
        this.ticker = ticker;
        this.workers = workers;
        this.callTimeout = callTimeout;
    }

    /** Releases a claim whose lease lasts at most so long, now and once more when its unfinished call has ended. */
    void release(String lock, Settlement settlement, long leaseNanos) {
        // The last call on the claim may take its whole time-out to arrive, and grants for one lease then.
        long forgetAt = ticker.nanos() + leaseNanos + 2 * callTimeout.toNanos();
        CompletionStage<?> unfinished = settlement.unfinished();
        if (unfinished != null) {
            unfinished.whenComplete((value, failure) -> add(new Debt(lock, settlement, forgetAt)));
        }
        add(new Debt(lock, settlement, forgetAt));
    }

    /** Tries no more; what is left is left to the leases. */
    void close() {
        closed = true;
    }

    private void add(Debt debt) {
        synchronized (this) {
            debts.add(debt);
            if (running || closed) {
                return;
            }
            running = true;
        }
        try {
            workers.execute(this::run);
        } catch (RejectedExecutionException engineClosed) {
            LOG.log(Level.DEBUG, "the client closed before lock ''{0}'' was released; its lease ends it", debt.lock);
        }
    }

    private void run() {
        for (Debt debt = next(); debt != null; debt = next()) {
            try {
                debt.settlement.release(ticker, callTimeout);
            } catch (RuntimeException unanswered) {
                again(debt, unanswered);
            }
        }
    }

    private synchronized @Nullable Debt next() {
        Debt debt = closed ? null : debts.poll();
        running = debt != null;
        return debt;
    }

    private void again(Debt debt, RuntimeException unanswered) {
        if (debt.forgetAt - ticker.nanos() <= 0) {
            LOG.log(
                    Level.DEBUG,
                    () -> "lock '" + debt.lock + "' was left to its lease: the store did not answer",
                    unanswered);
            return;
        }
        LockSupport.parkNanos(this, debt.pause);
        debt.pause = Math.min(LONGEST_PAUSE, debt.pause * 2);
        synchronized (this) {
            debts.add(debt);
        }
    }
}
