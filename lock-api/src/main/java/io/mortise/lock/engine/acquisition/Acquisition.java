// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.lease.ClaimRelease;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.lease.LeaseHandle;
import io.mortise.lock.engine.lease.LeaseServices;
import io.mortise.lock.engine.lease.Validity;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.engine.local.Nudge;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Acquires a lease for one call: waits for its turn in the local queue, then asks the store until it grants the lock,
 * until others have held the lock for too long, or until the store has given no answer for too long, all within one
 * time limit. Used once, by one thread.
 */
public final class Acquisition {
    private final LocalQueue<HeldLease> queue;
    private final ClaimFactory claims;
    private final LeaseServices services;
    private final Ticker ticker;
    private final String name;
    private final LockOptions options;
    private final TimeBudget budget;
    private final boolean interruptible;
    private final Nudge nudge = new Nudge();
    private boolean interruptedMeanwhile;

    public Acquisition(
            LocalQueue<HeldLease> queue,
            ClaimFactory claims,
            LeaseServices services,
            String name,
            LockOptions options,
            TimeBudget budget,
            boolean interruptible) {
        this.queue = queue;
        this.claims = claims;
        this.services = services;
        this.ticker = services.ticker();
        this.name = name;
        this.options = options;
        this.budget = budget;
        this.interruptible = interruptible;
    }

    /** How one try ended: granted, with a lease; without a usable answer; or, with neither, not granted: others hold the lock. */
    private record TryOutcome(
            @Nullable HeldLease lease, @Nullable RuntimeException noAnswer) {
        static final TryOutcome NOT_GRANTED = new TryOutcome(null, null);

        static TryOutcome granted(HeldLease lease) {
            return new TryOutcome(lease, null);
        }

        static TryOutcome noAnswer(RuntimeException failure) {
            return new TryOutcome(null, failure);
        }
    }

    /** The lease, or null if others held the lock for the whole budget. */
    public @Nullable LeaseHandle run() throws InterruptedException {
        try {
            heedInterrupt();
            HeldLease lease = inQueue();
            while (lease != null && !lease.isHeld() && !budget.endsWhileOthersHold(ticker.nanos())) {
                // Lost on the way here, as after a long pause of this thread.
                lease = inQueue();
            }
            Duration took = sinceStart();
            if (lease == null) {
                services.events().tell(listener -> listener.timedOut(event(took)));
                return null;
            }
            if (queue.isClosed()) {
                lease.releaseQuietly();
                ensureOpen();
            }
            services.events().tell(listener -> listener.acquired(event(took)));
            return new LeaseHandle(lease);
        } catch (LockException failure) {
            Duration took = sinceStart();
            services.events().tell(listener -> listener.failed(event(took), failure));
            throw failure;
        } finally {
            if (interruptedMeanwhile) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private LockEvent event(Duration took) {
        return new LockEvent(name, "", 0, false, took, Duration.ZERO);
    }

    /** Makes it look again, and notice that the client was closed. */
    public void wake() {
        nudge.run();
    }

    private @Nullable HeldLease inQueue() throws InterruptedException {
        LocalQueue<HeldLease>.Ticket ticket =
                budget.waits() ? queue.enter(name, options) : queue.tryEnter(name, options);
        if (ticket == null) {
            return null;
        }
        HeldLease lease = null;
        try {
            while (!ticket.isFirst()) {
                ensureOpen();
                long now = ticker.nanos();
                long left = budget.left(now);
                if (left <= 0) {
                    return null;
                }
                ticket.await(now + left);
                heedInterrupt();
            }
            HeldLease handedOver = ticket.lease();
            lease = handedOver == null ? atStore(ticket) : handedOver;
            return lease;
        } finally {
            if (lease == null) {
                ticket.leave();
                HeldLease handedOverTooLate = ticket.lease();
                if (handedOverTooLate != null) {
                    handedOverTooLate.releaseQuietly();
                }
            }
        }
    }

    private @Nullable HeldLease atStore(LocalQueue<HeldLease>.Ticket ticket) throws InterruptedException {
        Claim claim = claims.claim(name, options, budget.waits(), nudge);
        ClaimRelease claimRelease = new ClaimRelease(claim);
        Backoff backoff = new Backoff(claims.isPrompt(), options.lease());
        long answeredAt = budget.start();
        boolean inDoubt = false;
        boolean granted = false;
        RuntimeException noAnswer = null;
        try {
            while (true) {
                ensureOpen();
                noAnswer = null;
                TryOutcome outcome = ask(claim, claimRelease, ticket);
                noAnswer = outcome.noAnswer();
                if (outcome.lease() != null) {
                    granted = true;
                    return outcome.lease();
                }
                if (noAnswer == null) {
                    answeredAt = ticker.nanos();
                }
                inDoubt |= noAnswer != null;
                heedInterrupt();
                long now = ticker.nanos();
                if (noAnswer == null ? budget.endsWhileOthersHold(now) : budget.endsAfterNoAnswer(now, answeredAt)) {
                    break;
                }
                long pause = noAnswer == null ? backoff.whileOthersHold(claim.retryAfter()) : backoff.afterNoAnswer();
                nudge.await(ticker, now + (budget.waits() ? Math.min(pause, budget.left(now)) : pause));
                heedInterrupt();
            }
        } finally {
            if (!granted && (inDoubt || budget.waits())) {
                giveUp(claimRelease, noAnswer == null);
            }
        }
        if (noAnswer == null) {
            return null;
        }
        throw new LockStoreException(
                name,
                "the store did not answer for lock '" + name + "' within "
                        + sinceStart().toMillis()
                        + " ms, so whether it is free is not known; check the store, then try again: "
                        + noAnswer.getMessage(),
                noAnswer);
    }

    /**
     * Asks the store once. The one place where the end of a try is judged.
     *
     * @throws LockConfigurationException if the store will not grant this claim, however often it is asked
     */
    private TryOutcome ask(Claim claim, ClaimRelease claimRelease, LocalQueue<HeldLease>.Ticket ticket) {
        Validity.Stamp asked = Validity.Stamp.now(ticker);
        try {
            if (!claim.tryAcquire(budget.forCall(asked.nanos(), services.callTimeout()))) {
                return TryOutcome.NOT_GRANTED;
            }
            Validity validity = Validity.of(asked, options.lease(), claim.leaseSpent(), services.clockDrift());
            return validity.remaining(ticker) > 0
                    ? TryOutcome.granted(claims.lease(claim, claimRelease, ticket, validity))
                    : TryOutcome.noAnswer(
                            new BackendException("the store granted the lock when the lease was over", null));
        } catch (BackendException unanswered) {
            if (unanswered.kind() == BackendException.Kind.REFUSED) {
                throw new LockConfigurationException(String.valueOf(unanswered.getMessage()), unanswered);
            }
            unanswered.end().ifPresent(claimRelease::releaseAgainAfter);
            return TryOutcome.noAnswer(unanswered);
        } catch (LockConfigurationException never) {
            throw never;
        } catch (RuntimeException unanswered) {
            return TryOutcome.noAnswer(unanswered);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return TryOutcome.noAnswer(new BackendException("interrupted before the store answered", interrupted));
        }
    }

    /** A store that answers is left clean before the call returns; one that does not is not waited for. */
    private void giveUp(ClaimRelease claimRelease, boolean storeAnswers) {
        if (storeAnswers) {
            try {
                Duration atMost = budget.forCall(ticker.nanos(), services.callTimeout());
                claimRelease.release(ticker, atMost);
                return;
            } catch (RuntimeException noAnswer) {
                // The cleanup goes on trying.
            }
        }
        services.cleanup().release(name, claimRelease, Nanos.of(options.lease()));
    }

    private Duration sinceStart() {
        return Duration.ofNanos(ticker.nanos() - budget.start());
    }

    private void ensureOpen() {
        if (queue.isClosed()) {
            throw new LockClosedException(name);
        }
    }

    private void heedInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            if (interruptible) {
                throw new InterruptedException("interrupted while waiting for lock '" + name + "'");
            }
            interruptedMeanwhile = true;
        }
    }
}
