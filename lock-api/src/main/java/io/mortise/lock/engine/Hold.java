// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One lease, from the grant to the end: a state machine over its claim.
 *
 * <pre>
 * HELD ⇄ AT_RISK → RELEASING → RELEASED
 *   └───────┴─────────┴──────→ LOST
 * </pre>
 *
 * <p>Whoever sees first that the lease is over makes it LOST, for ever; a lost claim is still released, in the background.
 * Renewal acts in HELD and AT_RISK only. Thread-safe; its monitor is never held during I/O or user code.
 */
final class Hold {
    private enum State {
        HELD,
        AT_RISK,
        RELEASING,
        RELEASED,
        LOST
    }

    /** How long a release waits for a renewal that is under way, before it goes beside it. */
    private static final long RENEWAL_PATIENCE_NANOS = 100_000_000;

    private final Engine engine;
    private final Claim claim;
    private final Settlement settlement;
    private final LocalQueue.Place place;
    private final long token;
    private final HandOvers handOvers;
    private final LeaseTime time;
    private final LeaseListeners listeners;
    private final RenewalTurn renewal = new RenewalTurn();

    private State state = State.HELD;
    private boolean releaseAgain;
    private LeaseTimer.@Nullable Alarm alarm;
    private @Nullable Loss loss;
    private BooleanSupplier abandoned = () -> false;

    /** A claim that the store has granted. */
    Hold(
            Engine engine,
            Claim claim,
            Settlement settlement,
            LocalQueue.Place place,
            Validity validity,
            long token,
            HandOvers handOvers) {
        this.engine = engine;
        this.claim = claim;
        this.settlement = settlement;
        this.place = place;
        this.token = token;
        this.handOvers = handOvers;
        this.time = new LeaseTime(engine.ticker(), engine.drift(), place.options(), validity);
        this.listeners = new LeaseListeners(engine.events(), time);
    }

    /** Begins to be renewed and to end; before that nobody but the creator knows the lease. */
    synchronized void start() {
        place.hold(this);
        setAlarm();
    }

    Claim claim() {
        return claim;
    }

    LockOptions options() {
        return place.options();
    }

    String lockName() {
        return place.name();
    }

    long token() {
        return token;
    }

    /** Registers a listener; a lease that is over is noticed first. */
    synchronized void listen(Consumer<LeaseListeners> registration) {
        active();
        registration.accept(listeners);
    }

    /** Says how to find out that nobody can release this lease any more. */
    synchronized void abandonedWhen(BooleanSupplier condition) {
        abandoned = condition;
    }

    synchronized boolean isHeld() {
        return active();
    }

    synchronized long remainingNanos() {
        return active() ? time.left() : 0;
    }

    synchronized void ensureHeld() {
        if (!active()) {
            if (loss != null) {
                throw new LockLostException(lockName(), loss);
            }
            throw new IllegalStateException("the lease of lock '" + lockName() + "' was released");
        }
    }

    /** Why the lease was lost; null if it was not. */
    synchronized @Nullable Loss loss() {
        return loss;
    }

    /** Called by the timer: notices danger and the end. True if the lease wants to be renewed now. */
    synchronized boolean wake() {
        alarm = null;
        if (!active()) {
            return false;
        }
        if (state == State.HELD && time.inDanger()) {
            state = State.AT_RISK;
            engine.events().atRisk(lockName(), time.left());
            listeners.atRisk();
        }
        boolean due = time.renewalDue() && renewal.isIdle();
        if (due && abandoned.getAsBoolean()) {
            lose(new Loss(LossCause.ABANDONED, "whoever held it is gone and did not release it"));
            return false;
        }
        if (due) {
            renewal.queue();
        }
        setAlarm();
        return due;
    }

    /** How many leases may share a renewal with this one. */
    synchronized int batchLimit() {
        return renewal.batchLimit();
    }

    /** True if the lease still wants to be renewed; {@link #renewed} follows then. */
    synchronized boolean beginRenewal() {
        if (!active()) {
            renewal.leaveQueue();
            return false;
        }
        renewal.begin();
        return true;
    }

    /** The store's answer to a renewal that was sent at {@code asked}. */
    synchronized void renewed(Answer answer, Validity.Stamp asked) {
        renewal.end();
        if (state == State.RELEASING || state == State.RELEASED || state == State.LOST) {
            if (renewal.wasOvertaken() && answer != Answer.NO) {
                releaseAgain();
            }
            return;
        }
        if (answer == Answer.NO) {
            lose(claim.loss());
            return;
        }
        if (!active()) {
            return;
        }
        long late = time.late();
        if (answer == Answer.YES && time.renewed(asked)) {
            engine.events().renewed(lockName(), late);
            renewal.answered();
            if (!time.inDanger()) {
                state = State.HELD;
                listeners.outOfDanger();
            }
        } else {
            engine.events().renewalUnanswered(lockName(), time.left());
            renewal.unanswered();
            time.renewAgainSoon();
        }
        setAlarm();
    }

    /**
     * Gives the lock back: to the next waiter of this client if that is allowed, else to the store. Called once. True if
     * it was held until now.
     */
    boolean release() {
        Nudge renewalEnded;
        synchronized (this) {
            if (!active()) {
                return loss == null;
            }
            cancelAlarm();
            if (handOver()) {
                state = State.RELEASED;
                engine.events().released(lockName(), time.held());
                return true;
            }
            state = State.RELEASING;
            renewalEnded = renewal.whenEnded();
        }
        if (renewalEnded != null) {
            renewalEnded.await(engine.ticker(), engine.ticker().nanos() + RENEWAL_PATIENCE_NANOS);
        }
        synchronized (this) {
            renewal.overtake();
        }
        return releaseAtStore();
    }

    private boolean releaseAtStore() {
        try {
            boolean held = settlement.release(engine.ticker(), engine.callTimeout());
            synchronized (this) {
                if (held) {
                    leave();
                } else {
                    lose(claim.loss());
                }
                if (releaseAgain) {
                    releaseAgain();
                }
            }
            return held;
        } catch (RuntimeException unanswered) {
            engine.cleanup().release(lockName(), settlement, time.lease());
            synchronized (this) {
                leave();
            }
            throw engine.unconfirmedRelease(lockName(), options().lease(), unanswered);
        }
    }

    private boolean handOver() {
        return state == State.HELD
                && renewal.isIdle()
                && time.isFresh()
                && handOvers.allowAnother(engine.ticker().nanos(), time.lease())
                && place.handOver(next -> next.options().equals(options()) ? heir(next) : null);
    }

    private Hold heir(LocalQueue.Place next) {
        long nextToken = token == 0 ? 0 : token + 1;
        Hold heir = new Hold(engine, claim, settlement, next, time.validity(), nextToken, handOvers.next());
        heir.start();
        return heir;
    }

    /** A renewal that ended beside or after the release may have come after it in the store, too. */
    private void releaseAgain() {
        releaseAgain = state == State.RELEASING;
        if (!releaseAgain) {
            engine.cleanup().release(lockName(), settlement, time.lease());
        }
    }

    private void leave() {
        state = State.RELEASED;
        engine.events().released(lockName(), time.held());
        place.leave();
    }

    /** Whether the lease can be relied on; makes it LOST if its time is over. */
    private boolean active() {
        if (state != State.HELD && state != State.AT_RISK) {
            return false;
        }
        if (time.left() > 0) {
            return true;
        }
        lose(time.end());
        return false;
    }

    private void lose(Loss why) {
        boolean unsettled = state == State.HELD || state == State.AT_RISK;
        state = State.LOST;
        loss = why;
        cancelAlarm();
        place.leave();
        engine.events().lost(lockName(), time.held(), why);
        listeners.lost(why);
        if (unsettled) {
            // A renewal that is still under way may extend the claim: it must not outlive the lease.
            renewal.overtake();
            engine.cleanup().release(lockName(), settlement, time.lease());
        }
    }

    private void setAlarm() {
        cancelAlarm();
        alarm = engine.timer().set(this, time.nextMoment(state == State.AT_RISK, !renewal.isIdle()));
    }

    private void cancelAlarm() {
        if (alarm != null) {
            engine.timer().cancel(alarm);
            alarm = null;
        }
    }
}
