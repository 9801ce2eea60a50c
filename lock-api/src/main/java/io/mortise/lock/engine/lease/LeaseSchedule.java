// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Nanos;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The schedule of one lease: how long it lasts, when it is renewed, when it is at risk. Guarded by the monitor of its
 * {@link HeldLease}. All numbers are nanoseconds.
 */
final class LeaseSchedule {
    private final Ticker ticker;
    private final double drift;
    private final LockOptions options;
    private final long grantedAt;
    private Validity validity;
    private long renewAt;

    LeaseSchedule(Ticker ticker, double drift, LockOptions options, Validity validity) {
        this.ticker = ticker;
        this.drift = drift;
        this.options = options;
        this.validity = validity;
        this.grantedAt = ticker.nanos();
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

    Duration remaining() {
        return Duration.ofNanos(Math.max(0, left()));
    }

    /** Zero or less when the lease is over. */
    long left() {
        return Math.min(validity.remaining(ticker), maxHoldLeft());
    }

    Loss end() {
        return maxHoldLeft() <= 0
                ? new Loss(
                        LossCause.MAX_HOLD_REACHED,
                        "held for " + options.maxHold().orElseThrow())
                : new Loss(LossCause.EXPIRED, "the lease ended before a renewal was confirmed");
    }

    boolean isAtRisk() {
        return left() <= third();
    }

    boolean renewalDue() {
        return options.renewal() && renewAt - ticker.nanos() <= 0;
    }

    /** The store has confirmed a renewal that was sent at {@code asked}. Returns false if that lease is over already. */
    boolean renewed(Validity.Stamp asked, Duration spent) {
        validity = Validity.of(asked, options.lease(), spent, drift);
        renewAt = nextRenewal();
        return validity.remaining(ticker) > 0;
    }

    Duration late() {
        return Duration.ofNanos(Math.max(0, ticker.nanos() - renewAt));
    }

    /** Renews again after about a twelfth of what was granted; jittered, so that not all come at the same moment. */
    void renewAgainSoon() {
        long pause = Math.max(2, validity.granted() / 12);
        renewAt = ticker.nanos() + pause / 2 + ThreadLocalRandom.current().nextLong(pause);
    }

    /**
     * A third of what was granted after it was asked for. Rounded down to a thirtieth of it, so that leases of one length
     * fall due together and share a batch.
     */
    private long nextRenewal() {
        long grid = Math.max(1, validity.granted() / 30);
        return Math.floorDiv(validity.asked().nanos() + validity.granted() / 3, grid) * grid;
    }

    /** A lease goes to another holder only while two thirds of it are left. */
    boolean isFresh() {
        return validity.remaining(ticker) >= lease() / 3 * 2;
    }

    /** When the timer looks at the lease next: for its renewal, when it is at risk, or at its end, whichever is first. */
    long nextMoment(boolean atRisk, boolean underRenewal) {
        long now = ticker.nanos();
        long left = left();
        long next = now + (atRisk ? left : Math.max(0, left - third()));
        return options.renewal() && !underRenewal && renewAt - next < 0 ? renewAt : next;
    }

    /** A third of what was granted: the time that a renewal has for its answer, and what is left when a lease is at risk. */
    long third() {
        return validity.granted() / 3;
    }

    private long maxHoldLeft() {
        return options.maxHold()
                .map(limit -> Nanos.of(limit) - (ticker.nanos() - grantedAt))
                .orElse(Long.MAX_VALUE);
    }
}
