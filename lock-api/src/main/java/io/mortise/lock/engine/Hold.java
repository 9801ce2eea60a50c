// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One lease, from the grant to the end: the state machine {@link LeaseState} over its claim.
 *
 * <p>Whoever sees first that the lease is over makes it LOST, for ever; a lost claim is still released, in the background.
 * Renewal acts in HELD and AT_RISK only. Thread-safe; its monitor is never held during I/O or user code.
 */
final class Hold {
    /** How long a release waits for a renewal that is under way, before it goes beside it. */
    private static final long RENEWAL_PATIENCE_NANOS = 100_000_000;

    private final Engine engine;
    private final Grant grant;
    private final LeaseTime time;
    private final LeaseListeners listeners;
    private final RenewalTurn renewal = new RenewalTurn();

    private LeaseState state = LeaseState.HELD;
    private boolean releaseAgain;
    private LeaseTimer.@Nullable Alarm alarm;
    private @Nullable Loss loss;
    private BooleanSupplier abandoned = () -> false;

    Hold(Engine engine, Grant grant) {
        this.engine = engine;
        this.grant = grant;
        this.time = new LeaseTime(engine.ticker(), engine.drift(), options(), grant.validity());
        this.listeners = new LeaseListeners(engine.events(), time);
    }

    /** Begins to be renewed and to end; before that nobody but the creator knows the lease. */
    synchronized Hold start() {
        grant.place().hold(this);
        setAlarm();
        return this;
    }

    Grant grant() {
        return grant;
    }

    LockOptions options() {
        return grant.place().options();
    }

    String lockName() {
        return grant.place().name();
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

    /** Why the lease was lost; null if it was not. */
    synchronized @Nullable Loss loss() {
        return loss;
    }

    /** Called by the timer: notices danger and the end. True if the lease wants to be renewed now. */
    synchronized boolean wake() {
        if (!active()) {
            return false;
        }
        if (state == LeaseState.HELD && time.inDanger()) {
            state = LeaseState.AT_RISK;
            engine.events().atRisk(lockName(), time.left());
            listeners.atRisk();
        }
        boolean due = time.renewalDue() && renewal.isIdle();
        if (due && abandoned.getAsBoolean()) {
            lose(new Loss(LossCause.ABANDONED, "whoever held it is gone and did not release it"));
            return false;
        }
        renewal.queueIf(due);
        setAlarm();
        return due;
    }

    /** How many leases may share a renewal with this one. */
    synchronized int batchLimit() {
        return renewal.batchLimit();
    }

    /** How many nanoseconds the renewal may take that begins now, {@link #renewed} follows; 0 if the lease has ended. */
    synchronized long beginRenewal() {
        return renewal.begin(active()) ? time.third() : 0;
    }

    /** The store's answer to a renewal that was sent at {@code asked}, and what was spent of the lease by then. */
    synchronized void renewed(Answer answer, Validity.Stamp asked, Duration spent) {
        renewal.end();
        if (!state.isHeld()) {
            if (renewal.wasOvertaken() && answer != Answer.NO) {
                releaseAgain();
            }
            return;
        }
        if (answer == Answer.NO) {
            lose(grant.claim().loss());
        }
        if (!active()) {
            return;
        }
        long late = time.late();
        if (answer == Answer.YES && time.renewed(asked, spent)) {
            engine.events().renewed(lockName(), late);
            renewal.answered();
            if (!time.inDanger()) {
                state = LeaseState.HELD;
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
            engine.timer().cancel(alarm);
            if (handOver()) {
                leave();
                return true;
            }
            state = LeaseState.RELEASING;
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
            boolean held = grant.settlement().release(engine.ticker(), engine.callTimeout());
            synchronized (this) {
                if (held) {
                    leave();
                } else {
                    lose(grant.claim().loss());
                }
                if (releaseAgain) {
                    releaseAgain();
                }
            }
            return held;
        } catch (RuntimeException unanswered) {
            engine.cleanup().release(lockName(), grant.settlement(), time.lease());
            synchronized (this) {
                leave();
            }
            throw engine.unconfirmedRelease(lockName(), options().lease(), unanswered);
        }
    }

    private boolean handOver() {
        return state == LeaseState.HELD
                && renewal.isIdle()
                && time.isFresh()
                && grant.handOvers().allowAnother(engine.ticker().nanos(), time.lease())
                && grant.place()
                        .handOver(next -> next.options().equals(options())
                                ? new Hold(engine, grant.handedOver(next, time.validity())).start()
                                : null);
    }

    /** A renewal that ended beside or after the release may have come after it in the store, too. */
    private void releaseAgain() {
        releaseAgain = state == LeaseState.RELEASING;
        if (!releaseAgain) {
            engine.cleanup().release(lockName(), grant.settlement(), time.lease());
        }
    }

    private void leave() {
        state = LeaseState.RELEASED;
        engine.events().released(lockName(), time.held());
        grant.place().leave();
    }

    /** Whether the lease can be relied on; makes it LOST if its time is over. */
    private boolean active() {
        if (state.isHeld() && time.left() <= 0) {
            lose(time.end());
        }
        return state.isHeld();
    }

    private void lose(Loss why) {
        boolean unsettled = state.isHeld();
        state = LeaseState.LOST;
        loss = why;
        engine.timer().cancel(alarm);
        grant.place().leave();
        engine.events().lost(lockName(), time.held(), why);
        listeners.lost(why);
        if (unsettled) {
            // A renewal that is still under way may extend the claim: it must not outlive the lease.
            renewal.overtake();
            engine.cleanup().release(lockName(), grant.settlement(), time.lease());
        }
    }

    private void setAlarm() {
        engine.timer().cancel(alarm);
        alarm = engine.timer().set(this, time.nextMoment(state == LeaseState.AT_RISK, !renewal.isIdle()));
    }
}
