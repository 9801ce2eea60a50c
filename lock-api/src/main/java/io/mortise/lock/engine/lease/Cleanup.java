// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.DeadlineHeap;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.engine.local.WorkerStarter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Releases in the background what could not be released in the foreground: claims of lost leases, of unanswered
 * requests, and of calls that were given up. Tries again until the store answers, or until the store has let go by
 * itself. A part of the store that does not answer must not keep the rest locked: those not tried yet come first, several at
 * a time, and one worker at most tries again what got no answer. Thread-safe.
 */
public final class Cleanup {
    private static final Logger LOG = System.getLogger(Cleanup.class.getName());
    private static final long FIRST_PAUSE = 50_000_000;
    private static final long LONGEST_PAUSE = 2_000_000_000;
    private static final int MOST_WORKERS = 8;

    /** What was not tried yet counts as due for so long: for longer than anything else. */
    private static final long PRECEDENCE = 24L * 60 * 60 * 1_000_000_000;

    /** A claim that may still hold something, until when it can, and how long to wait after the next try. */
    static final class PendingRelease extends DeadlineHeap.Entry {
        private final String lock;
        private final ClaimRelease release;
        private final long forgetAt;
        private long pause = FIRST_PAUSE;
        private boolean tried;
        /** Whether it is released already, and kept for others' sake until a moment that is yet to come. */
        private boolean kept;
        /** The next of those that wait until the one of the same claim that is being released has ended. */
        private @Nullable PendingRelease nextOfClaim;

        private PendingRelease(String lock, ClaimRelease release, long forgetAt) {
            this.lock = lock;
            this.release = release;
            this.forgetAt = forgetAt;
        }
    }

    private final Environment environment;
    private final Ticker ticker;
    private final WorkerStarter starter;
    private final Duration callTimeout;
    private final DeadlineHeap<PendingRelease> pending = new DeadlineHeap<>();
    /** Made before it is needed: starting a thread must not fail for want of memory after it was noted. */
    private final Runnable worker = this::run;

    private final BooleanSupplier start = this::start;

    private int running;
    private int releasing;
    /** How many have not ended their first try. */
    private int untried;

    /** How many of those that are pending are kept for others' sake. */
    private int kept;
    /** Which worker tries again what got no answer, or waits until it is time for that. */
    private @Nullable Thread retrier;

    private boolean closed;
    private long answers;

    Cleanup(Environment environment, Ticker ticker, Executor workers, Duration callTimeout) {
        this.environment = environment;
        this.ticker = ticker;
        this.starter = new WorkerStarter(workers, "release locks");
        this.callTimeout = callTimeout;
    }

    /**
     * Releases a claim whose lease lasts at most so long, now and once more when its unfinished call has ended. Never throws: it
     * is called in the midst of locking. Without memory for it the claim is left to its lease.
     */
    @SuppressWarnings("CatchingUnchecked")
    public void release(String lock, ClaimRelease release, long leaseNanos) {
        try {
            // The last call on the claim may take its whole time-out to arrive, and grants for one lease then.
            long forgetAt = ticker.nanos() + leaseNanos + 2 * Nanos.of(callTimeout);
            CompletionStage<?> unfinished = release.unfinished();
            if (unfinished != null) {
                unfinished.whenComplete((value, failure) -> add(new PendingRelease(lock, release, forgetAt)));
            }
            add(new PendingRelease(lock, release, forgetAt));
        } catch (Throwable noMemory) {
            // The lock is left to its lease.
        }
    }

    /**
     * Lets go of a claim that was released, and that the store keeps for longer than it was to, when others are to be kept out no
     * more. Never throws. A client that is closed before leaves it to the store.
     */
    @SuppressWarnings("CatchingUnchecked")
    void letGo(String lock, ClaimRelease release, long leaseNanos) {
        try {
            PendingRelease later =
                    new PendingRelease(lock, release, release.keptUntil() + leaseNanos + Nanos.of(callTimeout));
            later.tried = true;
            synchronized (this) {
                if (closed) {
                    return;
                }
                keep(later);
            }
            starter.startSoon(start);
        } catch (Throwable noMemory) {
            // The lock is left to its lease.
        }
    }

    private void keep(PendingRelease later) {
        pending.put(later, later.release.keptUntil());
        later.kept = true;
        kept++;
    }

    /** Whether nothing is left to release. */
    public synchronized boolean isIdle() {
        return pending.size() == kept && releasing == 0;
    }

    /** Whether each claim has been tried once. */
    public synchronized boolean hasTriedAll() {
        return untried == 0;
    }

    /** How many releases the store has answered. */
    public synchronized long answers() {
        return answers;
    }

    /** Tries no more; locks that are not released yet are free when their leases end. */
    public synchronized void close() {
        closed = true;
        pending.clear();
        kept = 0;
        environment.unpark(retrier);
    }

    private void add(PendingRelease added) {
        synchronized (this) {
            if (closed) {
                return;
            }
            pending.put(added, ticker.nanos() - PRECEDENCE);
            untried++;
        }
        starter.startSoon(start);
    }

    /** As {@link WorkerStarter#whenNoThread}. */
    void whenNoThread(BooleanSupplier tryAgainSoon) {
        starter.whenNoThread(tryAgainSoon);
    }

    /** Goes on with what is to be released. False if no thread could be had for it: then to be called again soon. */
    boolean start() {
        synchronized (this) {
            PendingRelease first = pending.first();
            boolean isTaken = running > releasing || running == MOST_WORKERS;
            if (first == null || isTaken || (first.tried && retrier != null)) {
                environment.unpark(retrier);
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

    @SuppressWarnings("CatchingUnchecked")
    private void run() {
        while (true) {
            try {
                PendingRelease due = next();
                if (due == null) {
                    return;
                }
                release(due);
            } catch (Throwable failure) {
                // No memory, perhaps: what is to be released waits until there is some.
                environment.pause(this, FIRST_PAUSE);
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void release(PendingRelease due) {
        boolean answered = false;
        try {
            // For what is left: this one may take its whole time.
            start();
            due.release.release(ticker, callTimeout);
            answered = true;
        } catch (Throwable noAnswer) {
            LOG.log(Level.DEBUG, () -> "lock '" + due.lock + "' is not released yet", noAnswer);
        } finally {
            ended(due, answered);
        }
    }

    private synchronized void ended(PendingRelease due, boolean answered) {
        endUnderWay(due);
        untried -= due.tried ? 0 : 1;
        due.tried = true;
        if (answered) {
            answers++;
            if (due.release.isKeptTooLong() && !closed) {
                keep(due);
            }
        } else if (!closed && due.forgetAt - ticker.nanos() > 0) {
            pending.put(due, ticker.nanos() + due.pause);
            due.pause = Math.min(LONGEST_PAUSE, due.pause * 2);
            // Which may wait for one that is kept for long.
            environment.unpark(retrier);
        }
    }

    /** The same claim may be here twice, and takes one call at a time: false if this one waits for the end of the other. */
    private boolean beginUnderWay(PendingRelease begun) {
        PendingRelease other = begun.release.underWay;
        if (other != null) {
            begun.nextOfClaim = other.nextOfClaim;
            other.nextOfClaim = begun;
            return false;
        }
        begun.release.underWay = begun;
        releasing++;
        return true;
    }

    private void endUnderWay(PendingRelease ended) {
        releasing--;
        ended.release.underWay = null;
        PendingRelease next = ended.nextOfClaim;
        ended.nextOfClaim = null;
        while (next != null && !closed) {
            PendingRelease after = next.nextOfClaim;
            next.nextOfClaim = null;
            pending.put(next, ticker.nanos() - (next.tried ? 0 : PRECEDENCE));
            next = after;
        }
    }

    /** The next release when its time has come; null when there is none for the calling worker, which is to end. */
    private @Nullable PendingRelease next() {
        while (true) {
            long tryAt;
            synchronized (this) {
                if (retrier == Thread.currentThread()) {
                    retrier = null;
                }
                PendingRelease first = pending.first();
                if (first == null || (first.tried && retrier != null)) {
                    running--;
                    return null;
                }
                if (first.tried) {
                    retrier = Thread.currentThread();
                }
                tryAt = pending.firstMoment();
                if (tryAt - ticker.nanos() <= 0) {
                    pending.remove(first);
                    kept -= first.kept ? 1 : 0;
                    first.kept = false;
                    if (beginUnderWay(first)) {
                        return first;
                    }
                    continue;
                }
            }
            ticker.parkUntil(this, tryAt);
        }
    }
}
