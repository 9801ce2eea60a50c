// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.Moment;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The schedule of one lease: how long it lasts, when it is renewed, when it is at risk. Guarded by the monitor of its
 * {@link HeldLease}. All numbers are nanoseconds.
 */
final class LeaseSchedule {
    /** For so long after the store was asked a lease may be handed over: whoever revokes it at once waits for longer. */
    static final long HAND_OVER_NANOS = 200_000_000;

    private static final Loss EXPIRED = new Loss(LossCause.EXPIRED, "the lease ended before a renewal was confirmed");

    private final Ticker ticker;
    private final double drift;
    private final Duration longestLease;
    private final LockOptions options;
    private final Claim claim;
    private final long grantedAt;
    private final long maxHold;
    private final Loss maxHoldReached;
    private Validity validity;
    /** How much of the next lease is relied on, as it was when the store was asked for it. */
    private Duration asked;

    private long renewAt;
    /** The latest moment until which the lease was ever to last; in the past if it was never extended. */
    private long extendedUntil;
    /** The same when the store was asked last. */
    private long extensionAsked;
    /** Whether the store has not confirmed the last extension yet. */
    private boolean extensionDue;
    /** Whether it came after the store was asked last. */
    private boolean extendedSince;

    /** For how long the claim was ever to be relied on, as far as anybody looked. */
    private long longestReliable;

    private boolean refused;
    private long mayComeLate;

    /**
     * From the grant on.
     *
     * @param mayComeLate the shortest lease that a call asked for which was given up and may still reach the store
     */
    LeaseSchedule(
            Ticker ticker,
            double drift,
            Duration longestLease,
            LockOptions options,
            Claim claim,
            Validity validity,
            long mayComeLate) {
        this.ticker = ticker;
        this.drift = drift;
        this.longestLease = longestLease;
        this.options = options;
        this.claim = claim;
        this.validity = validity;
        this.mayComeLate = mayComeLate;
        this.asked = options.lease();
        this.grantedAt = ticker.nanos();
        this.extendedUntil = grantedAt;
        this.extensionAsked = grantedAt;
        this.maxHold = options.maxHold().map(Nanos::of).orElse(Nanos.FOREVER);
        this.maxHoldReached = options.maxHold()
                .map(limit -> new Loss(LossCause.MAX_HOLD_REACHED, "held for " + limit))
                .orElse(EXPIRED);
        this.renewAt = nextRenewal();
    }

    Validity validity() {
        return validity;
    }

    long lease() {
        return Nanos.of(options.lease());
    }

    Duration held() {
        return Duration.ofNanos(ticker.nanos() - grantedAt);
    }

    /** For how long it has been held, as far as the store's last yes tells. */
    long sinceAsked() {
        return validity.elapsed(ticker);
    }

    Duration remaining() {
        return Duration.ofNanos(Math.max(0, left()));
    }

    /** Zero or less when the lease is over. */
    long left() {
        return Math.min(timeLeft(), reliableNanos());
    }

    /** Whether it has ended though its time is not over: the claim knows why. */
    boolean isUnreliable() {
        return timeLeft() > 0 && reliableNanos() <= 0;
    }

    private long timeLeft() {
        return Math.min(validity.remaining(ticker), maxHoldLeft());
    }

    /** Nothing may be relied on of which nobody knows whether it can be. */
    @SuppressWarnings("CatchingUnchecked")
    private long reliableNanos() {
        try {
            return claim.reliableNanos();
        } catch (Throwable unknown) {
            return 0;
        }
    }

    /** Why the lease has ended by itself. */
    Loss end() {
        return maxHoldLeft() <= 0 ? maxHoldReached : EXPIRED;
    }

    boolean isAtRisk() {
        return untilRisk() <= 0;
    }

    boolean renewalDue() {
        return renews() && renewAt - ticker.nanos() <= 0;
    }

    /** How long the store is to keep the lock from now on, when it is asked to renew; the holder relies on less of it. */
    Duration beginRenewal() {
        long now = ticker.nanos();
        long relied = Math.max(lease(), extendedUntil - now);
        asked = Duration.ofNanos(relied);
        extensionAsked = extendedUntil;
        extendedSince = false;
        long stored = Math.max(relied + Nanos.of(options.lockDelay()), minHoldLeft(now));
        return stored >= Nanos.of(longestLease) ? longestLease : Duration.ofNanos(stored);
    }

    /** The store has confirmed a renewal that was sent at {@code sent}. Returns false if that lease is over already. */
    boolean renewed(Moment sent, Duration spent) {
        // The next request may ask for no more than the end of the extension.
        long lasting = Math.min(Nanos.of(asked), Math.max(lease(), extensionAsked - sent.nanos()));
        // A request for a shorter lease that was given up may arrive after this one, and set it.
        validity = Validity.of(sent, Duration.ofNanos(Math.min(lasting, mayComeLate)), spent, drift);
        extensionDue &= extendedSince;
        renewAt = extensionDue ? ticker.nanos() : nextRenewal();
        return validity.remaining(ticker) > 0;
    }

    /**
     * The store does not renew the lease any more, and keeps it until its end. It is asked again all the same: a second revocation
     * may free the lock at once.
     */
    void refused() {
        refused = true;
        extensionDue = false;
        renewAt = ticker.nanos() + third();
    }

    /** From now on leases last until that moment at least; the next renewal is due at once. */
    void extendUntil(long moment) {
        if (moment - extendedUntil > 0) {
            extendedUntil = moment;
        }
        extensionDue = true;
        extendedSince = true;
        renewAt = ticker.nanos();
    }

    Duration late() {
        return Duration.ofNanos(Math.max(0, ticker.nanos() - renewAt));
    }

    /** The shortest lease that a call asked for which was given up; more than any lease if there is none. */
    long mayComeLate() {
        return mayComeLate;
    }

    /**
     * Renews again after about a twelfth of what was granted; jittered, so that not all come at the same moment.
     *
     * @param wasAsked whether the request was sent, and so may come late
     * @param random what chooses the moment
     */
    void unanswered(boolean wasAsked, RandomGenerator random) {
        mayComeLate = wasAsked ? Math.min(mayComeLate, Nanos.of(asked)) : mayComeLate;
        long pause = Math.max(2, validity.granted() / 12);
        long retryAt = ticker.nanos() + pause / 2 + random.nextLong(pause);
        renewAt = extendedSince ? ticker.nanos() : retryAt;
    }

    /**
     * A third of what was granted after it was asked for. Rounded down to a thirtieth of it, so that leases of one length
     * fall due together and share a batch.
     */
    private long nextRenewal() {
        long grid = Math.max(1, validity.granted() / 30);
        return Math.floorDiv(validity.asked().nanos() + validity.granted() / 3, grid) * grid;
    }

    /**
     * A lease goes to another holder only soon after the store has confirmed it, while two thirds of it are left, and only if it
     * was not extended.
     */
    boolean allowsHandOver() {
        boolean wasExtended = validity.granted() > lease() || extendedUntil - ticker.nanos() > lease();
        boolean isConfirmed = validity.elapsed(ticker) < HAND_OVER_NANOS;
        return !refused && !wasExtended && isConfirmed && validity.remaining(ticker) >= lease() / 3 * 2;
    }

    /** When the timer looks at the lease next: for its renewal, when it is at risk, or at its end, whichever is first. */
    long nextMoment(boolean atRisk, boolean underRenewal) {
        long now = ticker.nanos();
        long left = left();
        long next = now + (atRisk ? left : Math.max(0, untilRisk()));
        return renews() && !underRenewal && renewAt - next < 0 ? renewAt : next;
    }

    /**
     * A third of what was granted is left then, or of the longest hold a third of the lease, or an eighth of that hold if it is
     * shorter: its end is certain, and most of it is for work.
     */
    private long untilRisk() {
        long ownRisk =
                Math.min(validity.remaining(ticker) - third(), maxHoldLeft() - Math.min(lease() / 3, maxHold / 8));
        return Math.min(ownRisk, untilUnreliable());
    }

    /** A third is left then of the longest for which the claim was ever to be relied on: what confirms it is late. */
    private long untilUnreliable() {
        long reliable = reliableNanos();
        longestReliable = Math.max(longestReliable, reliable);
        return reliable - longestReliable / 3;
    }

    /** A third of what was granted: the time that a renewal has for its answer, and what is left when a lease is at risk. */
    long third() {
        return validity.granted() / 3;
    }

    /** Until when others are to be kept out after a release; a moment that has passed if they are not. */
    long keptUntilAfterRelease() {
        long now = ticker.nanos();
        return now + minHoldLeft(now);
    }

    /** Until when others are to be kept out after the loss of the lease, which comes now. */
    long keptUntilAfterLoss() {
        long now = ticker.nanos();
        return now + Math.max(Nanos.of(options.lockDelay()), minHoldLeft(now));
    }

    private boolean renews() {
        return options.renewal() || extensionDue;
    }

    private long minHoldLeft(long now) {
        return options.minHold().isEmpty()
                ? 0
                : Math.max(0, Nanos.of(options.minHold().get()) - (now - grantedAt));
    }

    private long maxHoldLeft() {
        return maxHold == Nanos.FOREVER ? Long.MAX_VALUE : maxHold - (ticker.nanos() - grantedAt);
    }
}
