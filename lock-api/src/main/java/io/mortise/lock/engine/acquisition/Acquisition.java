// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockException;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.lease.ClaimRelease;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.lease.LeaseServices;
import io.mortise.lock.engine.lease.Validity;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.Moment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Acquires a lease for one call, in steps that never wait for others: in its turn in the local queue it asks the store, again and
 * again, until the store grants the lock, until others have held the lock for too long, or until the store has given no answer
 * for too long, all within one time limit. Whoever takes the steps waits between them: a thread of the caller's, or the
 * client for a future. Used once, by one thread at a time. {@link #end} is called in any case, and leaves nothing behind.
 */
public final class Acquisition implements EventDispatcher.Subject {
    private static final Logger LOG = System.getLogger(Acquisition.class.getName());

    private final LocalQueue<HeldLease> queue;
    private final ClaimFactory claims;
    private final LeaseServices services;
    private final Ticker ticker;
    private final String name;
    private final LockOptions options;
    private final TimeBudget budget;
    private final long caller;
    private final Runnable nudge;

    private LocalQueue<HeldLease>.@Nullable Ticket ticket;
    private @Nullable StoreWait storeWait;
    private boolean granted;
    private boolean warned;

    /**
     * Does nothing yet.
     *
     * @param caller the ID of the thread that will hold the lease, or 0 if it is not known
     * @param nudge run whenever another step is worth taking; quick, never throws
     */
    public Acquisition(
            LocalQueue<HeldLease> queue,
            ClaimFactory claims,
            LeaseServices services,
            String name,
            LockOptions options,
            TimeBudget budget,
            long caller,
            Runnable nudge) {
        this.queue = queue;
        this.claims = claims;
        this.services = services;
        this.ticker = services.ticker();
        this.name = name;
        this.options = options;
        this.budget = budget;
        this.caller = caller;
        this.nudge = nudge;
    }

    /**
     * What a step has led to.
     *
     * @param isLast whether the call has ended
     * @param until if not: until when to wait for a nudge, in the time of the client's ticker
     * @param lease if so: the lease, or null if others hold the lock
     */
    public record Step(boolean isLast, long until, @Nullable LeaseHandle lease) {
        private static final Step BUSY = new Step(true, 0, null);

        private static Step again(long until) {
            return new Step(false, until, null);
        }
    }

    /** One claim's questions to the store, from the first to the answer that ends the call. */
    private final class StoreWait {
        private final Claim claim = claims.claim(name, options, budget.waits(), nudge);
        private final ClaimRelease claimRelease = claims.release(claim);
        private final Backoff backoff = new Backoff(services.environment(), claims.isPrompt(), options.lease());
        private long answeredAt;
        /** Whether the store may keep something of this claim: a grant, or a place in its queue. */
        private boolean mayBeKept = budget.waits();

        /** Whether a try was not answered, and may still reach the store. */
        private boolean inDoubt;

        private @Nullable Throwable noAnswer;

        /** Whether a grant has come when its lease was over, as after a slow reconnection. */
        private boolean grantedLate;

        /**
         * Has not asked yet.
         *
         * @param answeredAt since when the store has given no answer to this call or to those before it in line
         */
        private StoreWait(long answeredAt) {
            this.answeredAt = answeredAt;
        }
    }

    public String lockName() {
        return name;
    }

    @Override
    public LockEvent event() {
        return new LockEvent(name, services.store(), 0, false, sinceStart(), Duration.ZERO);
    }

    /** By its moment, so that a run in virtual time can be repeated: in the order of hash codes a client that is closed wakes its calls. */
    @Override
    public int hashCode() {
        return Long.hashCode(budget.start());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    /** Makes whoever takes the steps take another one. */
    public void wake() {
        nudge.run();
    }

    /** Takes its place in line now, and not only with the first step. */
    public void enter() {
        if (ticket == null) {
            ticket = queue.enter(name, options, ticker.nanos(), nudge);
        }
    }

    /**
     * Goes on as far as it can without waiting for others.
     *
     * @throws LockException if the call ends without the lock, except because others hold it
     */
    public Step step() {
        try {
            Step step = advance();
            if (step.isLast() && step.lease == null) {
                services.events().tell(this, LockListener::timedOut);
            }
            return step;
        } catch (LockStoreException unanswered) {
            if (options.goOnWithoutAnswer()) {
                LOG.log(Level.WARNING, () -> "going on without lock '" + name + "': " + unanswered.getMessage());
                services.events().tell(this, (listener, event) -> listener.wentOnWithoutLock(event, unanswered));
            } else {
                services.events().tell(this, (listener, event) -> listener.failed(event, unanswered));
            }
            throw unanswered;
        } catch (LockException failure) {
            services.events().tell(this, (listener, event) -> listener.failed(event, failure));
            throw failure;
        }
    }

    private Step advance() {
        while (true) {
            ensureOpen();
            enter();
            LocalQueue<HeldLease>.Ticket own = Objects.requireNonNull(ticket);
            if (!own.isFirst()) {
                return inLine(own);
            }
            if (own.lease() == null) {
                Step unfinished = atStore(own);
                if (unfinished != null) {
                    return unfinished;
                }
            }
            // A client that was closed during the question has no lease any more, and keeps others out for none.
            ensureOpen();
            HeldLease lease = own.lease();
            LeaseHandle handle = lease == null ? null : lease.newHandle();
            if (lease != null && handle != null && lease.taken(ticker.nanos() - budget.start(), caller)) {
                // Closing either finds the lease in the queue, or is found here.
                if (queue.isClosed()) {
                    lease.clientClosedUntold();
                    throw new LockClosedException(name);
                }
                Step last = new Step(true, 0, handle);
                granted = true;
                return last;
            }
            // Lost on the way here, as after a long pause: this call keeps its place in line, and asks again.
            storeWait = null;
            own.standFor(null);
        }
    }

    /** The call waits for others of this client, who ask the store and tell what it says. */
    private Step inLine(LocalQueue<HeldLease>.Ticket own) {
        long now = ticker.nanos();
        if (budget.waits() && budget.left(now) > 0) {
            warnOfSelf(own);
            return Step.again(now + budget.left(now));
        }
        // At the end of a wait an earlier answer may be out of date.
        if (own.isKnownHeld(budget.answersFrom())) {
            return Step.BUSY;
        }
        Throwable why = own.noAnswer(budget.answersFrom());
        if (budget.answersUntil() - now <= 0 || (why != null && budget.waits())) {
            throw unanswered(why);
        }
        own.awaitAnswer(why == null);
        return Step.again(budget.answersUntil());
    }

    /** Whoever holds a lock and waits for it without limit waits for itself. */
    private void warnOfSelf(LocalQueue<HeldLease>.Ticket own) {
        HeldLease first = warned || caller == 0 ? null : own.firstLease();
        warned = true;
        if (first != null && first.acquirer() == caller) {
            LOG.log(
                    Level.WARNING,
                    "thread {0} waits for lock ''{1}'', which it has acquired itself and not released; only asLock() is re-entrant",
                    Thread.currentThread().getName(),
                    name);
        }
    }

    /** The call is the first of this client: it asks the store. Null if it has the lease. */
    private @Nullable Step atStore(LocalQueue<HeldLease>.Ticket first) {
        long othersTurn = storeWait == null ? othersTurn() : 0;
        if (othersTurn > 0) {
            return Step.again(ticker.nanos() + othersTurn);
        }
        StoreWait wait = storeWait == null ? storeWait(first) : storeWait;
        storeWait = wait;
        long asked = ticker.nanos();
        if (ask(wait, first)) {
            return null;
        }
        long now = ticker.nanos();
        Throwable noAnswer = wait.noAnswer;
        wait.inDoubt |= noAnswer != null;
        if (noAnswer instanceof InterruptedException) {
            // That says nothing of the store.
            return Step.again(now);
        }
        first.answered(asked, now, noAnswer);
        if (noAnswer == null) {
            wait.answeredAt = now;
            services.turns().refused(name, now);
            if (budget.endsWhileOthersHold(now)) {
                return Step.BUSY;
            }
        } else if (budget.endsAfterNoAnswer(now, wait.answeredAt)) {
            throw unanswered(noAnswer);
        }
        long pause = noAnswer == null
                ? wait.backoff.whileOthersHold(wait.claim.retryAfter(), wait.claim.pollAfter())
                : wait.backoff.afterNoAnswer();
        return Step.again(now + Math.min(pause, Math.max(0, budget.leftForQuestions(now))));
    }

    /** For how long a call that has the time does not come before others that want the lock, too. */
    private long othersTurn() {
        long now = ticker.nanos();
        long pause = services.turns().askFrom(name, now) - now;
        return budget.waits() && budget.left(now) > pause ? pause : 0;
    }

    /** Whoever comes to be first after all that silence need not ask once more. */
    private StoreWait storeWait(LocalQueue<HeldLease>.Ticket first) {
        long now = ticker.nanos();
        long answeredAt = first.unansweredSince(now);
        if (!budget.isLimited() && budget.endsAfterNoAnswer(now, answeredAt)) {
            throw unanswered(first.silence());
        }
        return new StoreWait(answeredAt);
    }

    /**
     * Asks the store once. The one place where the end of a try is judged.
     *
     * @return whether the ticket stands for a lease now; if not, the wait knows whether the store has answered
     * @throws LockConfigurationException if the store will not grant this claim, however often it is asked
     */
    private boolean ask(StoreWait wait, LocalQueue<HeldLease>.Ticket first) {
        Moment asked = Moment.now(ticker);
        boolean keptBefore = wait.mayBeKept;
        wait.mayBeKept = true;
        wait.noAnswer = null;
        try {
            if (!wait.claim.tryAcquire(budget.forCall(asked.nanos(), services.callTimeout(), services.shortCall()))) {
                wait.mayBeKept = keptBefore;
                return false;
            }
            Validity validity = Validity.of(asked, options.lease(), wait.claim.leaseSpent(), services.clockDrift());
            if (validity.remaining(ticker) > 0) {
                claims.lease(wait.claim, wait.claimRelease, first, validity, wait.inDoubt);
                wait.mayBeKept = false;
                return true;
            }
            wait.noAnswer = new BackendException("the store granted the lock when the lease was over", null);
            if (!wait.grantedLate) {
                // Once, it is no silence: the next try renews that grant. A store that is always so late is of no use.
                wait.grantedLate = true;
                wait.answeredAt = ticker.nanos();
            }
        } catch (BackendException unanswered) {
            if (unanswered.kind() == BackendException.Kind.REFUSED) {
                throw new LockConfigurationException(String.valueOf(unanswered.getMessage()), unanswered);
            }
            if (unanswered.kind() == BackendException.Kind.CLOSED) {
                throw new LockClosedException(name);
            }
            unanswered.end().ifPresent(wait.claimRelease::releaseAgainAfter);
            wait.noAnswer = unanswered;
        } catch (LockConfigurationException never) {
            throw never;
        } catch (RuntimeException unanswered) {
            wait.noAnswer = unanswered;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            wait.noAnswer = interrupted;
        }
        return false;
    }

    /** Throws that the client was closed, if that is why. */
    private LockStoreException unanswered(@Nullable Throwable why) {
        ensureOpen();
        return new LockStoreException(
                name,
                "the store did not answer for lock '" + name + "' within "
                        + sinceStart().toMillis()
                        + " ms, so whether it is free is not known; check the store, then try again"
                        + (why == null ? "" : ": " + why.getMessage()),
                why);
    }

    private Duration sinceStart() {
        return Duration.ofNanos(ticker.nanos() - budget.start());
    }

    private void ensureOpen() {
        if (queue.isClosed()) {
            throw new LockClosedException(name);
        }
    }

    /**
     * Leaves the queue, and gives back what the store may keep, unless the last step gave a lease. A store that answers is left
     * clean before this returns, one that does not is not waited for. Idempotent; goes on after whatever is thrown.
     */
    public void end() {
        StoreWait wait = storeWait;
        storeWait = null;
        LocalQueue<HeldLease>.Ticket left = ticket;
        ticket = null;
        if (granted) {
            return;
        }
        try {
            if (wait != null && wait.mayBeKept) {
                giveUp(wait);
            }
        } finally {
            if (left != null) {
                try {
                    releaseUntaken(left);
                } finally {
                    left.leave();
                    releaseUntaken(left);
                }
            }
        }
    }

    /** A lease that was granted or handed over to this call goes to the next in line, or back to the store. */
    private static void releaseUntaken(LocalQueue<HeldLease>.Ticket left) {
        HeldLease lease = left.lease();
        if (lease != null) {
            lease.giveBack();
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void giveUp(StoreWait wait) {
        if (wait.noAnswer == null) {
            try {
                wait.claimRelease.release(ticker, services.shortCall());
                if (wait.claimRelease.unfinished() == null) {
                    return;
                }
            } catch (Throwable noAnswer) {
                // The cleanup goes on trying.
            }
        }
        services.cleanup().release(name, wait.claimRelease, Nanos.of(ClaimFactory.stored(options)));
    }
}
