// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.LockEvent;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.engine.local.Nudge;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Renewal;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Implements one lease as a state machine, from the grant to the release or the loss, over a claim that the store has
 * granted or that another lease of this client has handed over.
 *
 * <p>Whoever sees first that the lease is over makes it LOST, forever; a lost claim is still released, in the background.
 * Renewal acts in HELD and AT_RISK only. Thread-safe; its monitor is never held during I/O or user code.
 */
public final class HeldLease implements RenewableLease {
    private static final Logger LOG = System.getLogger(HeldLease.class.getName());

    /** How long a release waits for a renewal that is under way, before it is sent beside it. */
    private static final long RENEWAL_PATIENCE_NANOS = 100_000_000;

    /**
     * The life of one lease.
     *
     * <pre>
     * HELD ⇄ AT_RISK → RELEASING → RELEASED
     *   └───────┴─────────┴──────→ LOST
     * </pre>
     */
    private enum State {
        HELD,
        AT_RISK,
        RELEASING,
        RELEASED,
        LOST;

        boolean isHeld() {
            return this == HELD || this == AT_RISK;
        }
    }

    /**
     * Limits consecutive hand-overs within one client: at most {@code left}, for at most one lease since the store granted
     * the first of them.
     */
    private record HandOverLimit(int left, long grantedAt) {
        boolean allowsAnother(long now, long lease) {
            return left > 0 && now - grantedAt < lease;
        }
    }

    private final LeaseServices services;
    private final LocalQueue<HeldLease>.Ticket ticket;
    private final ClaimRelease claimRelease;
    private final long fencingToken;
    private final HandOverLimit handOvers;
    private final LeaseSchedule time;
    private final LeaseListeners listeners;
    private final RenewalStatus renewal = new RenewalStatus();
    private volatile boolean handOverForbidden;

    private State state = State.HELD;
    private boolean releaseAgain;
    private LeaseTimer.@Nullable Alarm alarm;
    private @Nullable Loss loss;
    private BooleanSupplier abandoned = () -> false;

    private HeldLease(
            LeaseServices services,
            LocalQueue<HeldLease>.Ticket ticket,
            ClaimRelease claimRelease,
            Validity validity,
            long fencingToken,
            HandOverLimit handOvers) {
        this.services = services;
        this.ticket = ticket;
        this.claimRelease = claimRelease;
        this.fencingToken = fencingToken;
        this.handOvers = handOvers;
        this.time = new LeaseSchedule(services.ticker(), services.clockDrift(), ticket.options(), validity);
        this.listeners = new LeaseListeners(services.events(), time);
    }

    /**
     * The lease of a claim that the store has granted. It is renewed and ends from now on.
     *
     * @param fencingToken the first token of the grant, or 0 if the store has none
     * @param handOvers how often the lock may be handed over before the store is asked again
     */
    public static HeldLease start(
            LeaseServices services,
            LocalQueue<HeldLease>.Ticket ticket,
            ClaimRelease claimRelease,
            Validity validity,
            long fencingToken,
            int handOvers) {
        HandOverLimit limit = new HandOverLimit(handOvers, services.ticker().nanos());
        return new HeldLease(services, ticket, claimRelease, validity, fencingToken, limit).begin();
    }

    /** The same claim in the hands of the next in line, with a token of its own. */
    private HeldLease handedTo(LocalQueue<HeldLease>.Ticket next) {
        long token = fencingToken == 0 ? 0 : fencingToken + 1;
        HandOverLimit limit = new HandOverLimit(handOvers.left() - 1, handOvers.grantedAt());
        return new HeldLease(services, next, claimRelease, time.validity(), token, limit).begin();
    }

    /** Begins to be renewed and to end; before that nobody but the creator knows the lease. */
    private synchronized HeldLease begin() {
        ticket.standFor(this);
        setAlarm();
        return this;
    }

    public String lockName() {
        return ticket.name();
    }

    long fencingToken() {
        return fencingToken;
    }

    @Override
    public Renewal renewal() {
        return new Renewal(claimRelease.claim(), ticket.options().lease());
    }

    /** From now on, the lock goes back to the store when it is released. */
    void forbidHandOver() {
        handOverForbidden = true;
    }

    /** Registers a listener; a lease that is over is noticed first. */
    synchronized void listen(Consumer<LeaseListeners> registration) {
        notePassedEnd();
        registration.accept(listeners);
    }

    /** Runs something quick at the very moment of the loss, at once if the lease is lost. */
    public void atLoss(Runnable quick) {
        listen(registered -> registered.hook(quick));
    }

    /** Says how to find out that nobody can release this lease any more. */
    public synchronized void abandonedWhen(BooleanSupplier condition) {
        abandoned = condition;
    }

    public synchronized boolean isHeld() {
        return notePassedEnd();
    }

    synchronized Duration remaining() {
        return notePassedEnd() ? time.remaining() : Duration.ZERO;
    }

    /** Why the lease was lost; null if it was not. */
    public synchronized @Nullable Loss loss() {
        return loss;
    }

    synchronized void ensureNotLost() {
        if (loss != null) {
            throw new LockLostException(lockName(), loss);
        }
    }

    @Override
    public synchronized boolean wake() {
        if (!notePassedEnd()) {
            return false;
        }
        if (state == State.HELD && time.isAtRisk()) {
            state = State.AT_RISK;
            Duration left = time.remaining();
            services.events().tell(listener -> listener.atRisk(event(), left));
            listeners.atRisk();
        }
        boolean due = time.renewalDue() && renewal.isIdle();
        if (due && abandoned.getAsBoolean()) {
            lose(new Loss(LossCause.ABANDONED, "its holder ended without releasing it"));
            return false;
        }
        renewal.queueIf(due);
        setAlarm();
        return due;
    }

    @Override
    public synchronized int batchLimit() {
        return renewal.batchLimit();
    }

    @Override
    public synchronized long beginRenewal() {
        return renewal.begin(notePassedEnd()) ? time.third() : 0;
    }

    @Override
    public synchronized void renewed(Answer answer, Validity.Stamp asked, Duration spent) {
        renewal.end();
        if (!state.isHeld()) {
            if (renewal.wasOvertaken() && answer != Answer.NO) {
                releaseAgain();
            }
            return;
        }
        if (answer == Answer.NO) {
            lose(claimRelease.claim().loss());
        }
        if (!notePassedEnd()) {
            return;
        }
        Duration late = time.late();
        if (answer == Answer.YES && time.renewed(asked, spent)) {
            services.events().tell(listener -> listener.renewed(event(), late));
            renewal.answered();
            if (!time.isAtRisk()) {
                state = State.HELD;
                listeners.noLongerAtRisk();
            }
        } else {
            Duration left = time.remaining();
            services.events().tell(listener -> listener.renewalUnanswered(event(), left));
            renewal.unanswered();
            time.renewAgainSoon();
        }
        setAlarm();
    }

    /**
     * Gives the lock back: to the next waiter of this client if that is allowed, else to the store. Called once. True if
     * it was held until now.
     *
     * @throws LockStoreException if the store did not answer; the release is tried again in the background
     */
    public boolean release() {
        Nudge renewalEnded;
        synchronized (this) {
            if (!notePassedEnd()) {
                return loss == null;
            }
            services.timer().cancel(alarm);
            if (handOver()) {
                leave();
                return true;
            }
            state = State.RELEASING;
            renewalEnded = renewal.whenEnded();
        }
        if (renewalEnded != null) {
            renewalEnded.await(services.ticker(), services.ticker().nanos() + RENEWAL_PATIENCE_NANOS);
        }
        synchronized (this) {
            renewal.overtake();
        }
        return releaseAtStore();
    }

    /** As {@link #release()}, for callers that nobody listens to. True if the store answered. */
    public boolean releaseQuietly() {
        try {
            release();
            return true;
        } catch (RuntimeException noAnswer) {
            LOG.log(Level.DEBUG, () -> "lock '" + lockName() + "' is left to its lease", noAnswer);
            return false;
        }
    }

    private boolean releaseAtStore() {
        try {
            boolean held = claimRelease.release(services.ticker(), services.callTimeout());
            synchronized (this) {
                if (held) {
                    leave();
                } else {
                    lose(claimRelease.claim().loss());
                }
                if (releaseAgain) {
                    releaseAgain();
                }
            }
            return held;
        } catch (RuntimeException noAnswer) {
            releaseInBackground();
            synchronized (this) {
                leave();
            }
            throw new LockStoreException(
                    lockName(),
                    "the store did not confirm the release of lock '" + lockName()
                            + "': it is tried again in the background, and the lock is free in at most "
                            + ticket.options().lease().toMillis() + " ms",
                    noAnswer);
        }
    }

    private boolean handOver() {
        return state == State.HELD
                && renewal.isIdle()
                && time.isFresh()
                && !handOverForbidden
                && handOvers.allowsAnother(services.ticker().nanos(), time.lease())
                && ticket.handOver(next -> next.options().equals(ticket.options()) ? handedTo(next) : null);
    }

    /** A renewal that ended beside or after the release may have reached the store after it, too. */
    private void releaseAgain() {
        releaseAgain = state == State.RELEASING;
        if (!releaseAgain) {
            releaseInBackground();
        }
    }

    private void releaseInBackground() {
        services.cleanup().release(lockName(), claimRelease, time.lease());
    }

    private void leave() {
        state = State.RELEASED;
        LockEvent event = event();
        services.events().tell(listener -> listener.released(event));
        ticket.leave();
    }

    /** Makes the lease LOST if its time is over. Returns whether it can be relied on. */
    private boolean notePassedEnd() {
        if (state.isHeld() && time.left() <= 0) {
            lose(time.end());
        }
        return state.isHeld();
    }

    private void lose(Loss why) {
        boolean mayHoldInStore = state.isHeld();
        state = State.LOST;
        loss = why;
        services.timer().cancel(alarm);
        ticket.leave();
        LockEvent event = event();
        services.events().tell(listener -> listener.lost(event, why));
        listeners.lost(why);
        if (mayHoldInStore) {
            // A renewal that is still under way may extend the claim: it must not outlive the lease.
            renewal.overtake();
            releaseInBackground();
        }
    }

    private LockEvent event() {
        return new LockEvent(lockName(), "", fencingToken, false, Duration.ZERO, time.held());
    }

    private void setAlarm() {
        services.timer().cancel(alarm);
        alarm = services.timer().set(this, time.nextMoment(state == State.AT_RISK, !renewal.isIdle()));
    }
}
