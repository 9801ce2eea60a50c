// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import java.time.Duration;
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
    private final Chain chain;
    private final long grantedAt;
    private final LeaseListeners listeners;

    private State state = State.HELD;
    private Validity validity;
    private long renewAt;
    private int batchLimit = Renewer.LARGEST_BATCH;
    private boolean queuedForRenewal;
    private boolean renewing;
    private boolean releasedBesideRenewal;
    private boolean releaseAgain;
    private @Nullable Nudge renewalEnded;
    private LeaseTimer.@Nullable Alarm alarm;
    private @Nullable Loss loss;
    private BooleanSupplier abandoned = () -> false;

    /** A row of hand-overs inside this client: how many more there may be, and since when the store has not been asked. */
    record Chain(int left, long since) {}

    /** A claim that the store has granted. */
    Hold(
            Engine engine,
            Claim claim,
            Settlement settlement,
            LocalQueue.Place place,
            Validity validity,
            long token,
            Chain chain) {
        this.engine = engine;
        this.claim = claim;
        this.settlement = settlement;
        this.place = place;
        this.validity = validity;
        this.token = token;
        this.chain = chain;
        this.grantedAt = engine.ticker().nanos();
        this.listeners = new LeaseListeners(engine.events());
        this.renewAt = RenewalPlan.next(validity.asked(), lease());
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

    synchronized void onAtRisk(Consumer<Duration> listener) {
        if (active()) {
            listeners.addAtRisk(listener);
            if (state == State.AT_RISK) {
                Duration left = Duration.ofNanos(nanosLeft());
                engine.events().run(() -> listener.accept(left));
            }
        }
    }

    synchronized void onLost(Consumer<Loss> listener) {
        if (active()) {
            listeners.addLost(listener);
        } else if (loss != null) {
            Loss why = loss;
            engine.events().run(() -> listener.accept(why));
        }
    }

    /** Runs something quick at the very moment of the loss, or now if that has passed. */
    synchronized void atLoss(Runnable quick) {
        if (active()) {
            listeners.hook(quick);
        } else if (loss != null) {
            quick.run();
        }
    }

    /** Says how to find out that nobody can release this lease any more. */
    synchronized void abandonedWhen(BooleanSupplier condition) {
        abandoned = condition;
    }

    synchronized boolean isHeld() {
        return active();
    }

    synchronized long remainingNanos() {
        return active() ? nanosLeft() : 0;
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
        long left = nanosLeft();
        if (state == State.HELD && left <= dangerNanos()) {
            state = State.AT_RISK;
            engine.events().atRisk(lockName(), left);
            listeners.atRisk(left);
        }
        boolean due = renewalDue();
        if (due && abandoned.getAsBoolean()) {
            lose(new Loss(LossCause.ABANDONED, "whoever held it is gone and did not release it"));
            return false;
        }
        queuedForRenewal |= due;
        setAlarm();
        return due;
    }

    /** How many leases may share a renewal with this one. */
    synchronized int batchLimit() {
        return batchLimit;
    }

    /** True if the lease still wants to be renewed; {@link #renewed} follows then. */
    synchronized boolean beginRenewal() {
        queuedForRenewal = false;
        renewing = active();
        return renewing;
    }

    /** The store's answer to a renewal that was sent at {@code asked}. */
    synchronized void renewed(Answer answer, Validity.Stamp asked) {
        renewing = false;
        if (renewalEnded != null) {
            renewalEnded.run();
        }
        if (state == State.RELEASING || state == State.RELEASED || state == State.LOST) {
            if (releasedBesideRenewal && answer != Answer.NO) {
                releaseAgain();
            }
            return;
        }
        Validity fresh = Validity.of(asked, options().lease(), engine.drift());
        if (answer == Answer.NO) {
            lose(claim.loss());
        } else if (!active()) {
            return;
        } else if (answer == Answer.YES && fresh.remaining(engine.ticker()) > 0) {
            engine.events().renewed(lockName(), engine.ticker().nanos() - renewAt);
            validity = fresh;
            state = nanosLeft() > dangerNanos() ? State.HELD : state;
            batchLimit = Renewer.LARGEST_BATCH;
            renewAt = RenewalPlan.next(fresh.asked(), lease());
        } else {
            engine.events().renewalUnanswered(lockName(), nanosLeft());
            batchLimit = Math.max(1, batchLimit / 10);
            renewAt = RenewalPlan.again(engine.ticker().nanos(), lease());
        }
        setAlarm();
    }

    /**
     * Gives the lock back: to the next waiter of this client if that is allowed, else to the store. Called once. True if
     * it was held until now.
     */
    boolean release() {
        Nudge ended = null;
        synchronized (this) {
            if (!active()) {
                return loss == null;
            }
            cancelAlarm();
            if (handOver()) {
                state = State.RELEASED;
                engine.events().released(lockName(), heldNanos());
                return true;
            }
            state = State.RELEASING;
            if (renewing) {
                ended = new Nudge();
                renewalEnded = ended;
            }
        }
        if (ended != null) {
            ended.await(engine.ticker(), engine.ticker().nanos() + RENEWAL_PATIENCE_NANOS);
        }
        synchronized (this) {
            releasedBesideRenewal = renewing;
        }
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
            engine.cleanup().release(lockName(), settlement, lease());
            synchronized (this) {
                leave();
            }
            throw new LockStoreException(
                    lockName(),
                    "the store did not confirm the release of lock '" + lockName()
                            + "': it is tried again in the background, and the lock is free in at most "
                            + options().lease().toMillis() + " ms",
                    unanswered);
        }
    }

    private boolean handOver() {
        long now = engine.ticker().nanos();
        boolean allowed = state == State.HELD
                && !queuedForRenewal
                && !renewing
                && chain.left() > 0
                && now - chain.since() < lease()
                && validity.remaining(engine.ticker()) >= lease() / 3 * 2;
        return allowed
                && place.handOver(next -> {
                    if (!next.options().equals(options())) {
                        return null;
                    }
                    Chain rest = new Chain(chain.left() - 1, chain.since());
                    long nextToken = token == 0 ? 0 : token + 1;
                    Hold heir = new Hold(engine, claim, settlement, next, validity, nextToken, rest);
                    heir.start();
                    return heir;
                });
    }

    /** A renewal that ended beside or after the release may have come after it in the store, too. */
    private void releaseAgain() {
        releaseAgain = state == State.RELEASING;
        if (!releaseAgain) {
            engine.cleanup().release(lockName(), settlement, lease());
        }
    }

    private void leave() {
        state = State.RELEASED;
        engine.events().released(lockName(), heldNanos());
        place.leave();
    }

    /** Whether the lease can be relied on; makes it LOST if its time is over. */
    private boolean active() {
        if (state != State.HELD && state != State.AT_RISK) {
            return false;
        }
        if (nanosLeft() > 0) {
            return true;
        }
        boolean heldTooLong = maxHoldLeft() <= 0;
        lose(
                heldTooLong
                        ? new Loss(
                                LossCause.MAX_HOLD_REACHED,
                                "held for " + options().maxHold().orElseThrow())
                        : new Loss(LossCause.EXPIRED, "the lease ended before a renewal was confirmed"));
        return false;
    }

    private void lose(Loss why) {
        boolean unsettled = state == State.HELD || state == State.AT_RISK;
        state = State.LOST;
        loss = why;
        cancelAlarm();
        place.leave();
        engine.events().lost(lockName(), heldNanos(), why);
        listeners.lost(why);
        if (unsettled) {
            // A renewal that is still under way may extend the claim: it must not outlive the lease.
            releasedBesideRenewal = renewing;
            engine.cleanup().release(lockName(), settlement, lease());
        }
    }

    private void setAlarm() {
        cancelAlarm();
        long now = engine.ticker().nanos();
        long next = now + nanosLeft();
        if (state == State.HELD) {
            next -= Math.min(dangerNanos(), next - now);
        }
        if (options().renewal() && !queuedForRenewal && !renewing && renewAt - next < 0) {
            next = renewAt;
        }
        alarm = engine.timer().set(this, next);
    }

    private void cancelAlarm() {
        if (alarm != null) {
            engine.timer().cancel(alarm);
            alarm = null;
        }
    }

    private boolean renewalDue() {
        return options().renewal()
                && !queuedForRenewal
                && !renewing
                && renewAt - engine.ticker().nanos() <= 0;
    }

    private long nanosLeft() {
        return Math.min(validity.remaining(engine.ticker()), maxHoldLeft());
    }

    private long maxHoldLeft() {
        return options().maxHold().map(limit -> Nanos.of(limit) - heldNanos()).orElse(Long.MAX_VALUE);
    }

    private long heldNanos() {
        return engine.ticker().nanos() - grantedAt;
    }

    private long dangerNanos() {
        return lease() / 3;
    }

    private long lease() {
        return Nanos.of(options().lease());
    }
}
