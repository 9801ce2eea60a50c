// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.Ticker;
import java.time.Duration;

/**
 * The time of one lease: how long it lasts, when it wants to be renewed, when it is in danger. Guarded by the monitor of its
 * {@link Hold}. All numbers are nanoseconds.
 */
final class LeaseTime {
    private final Ticker ticker;
    private final double drift;
    private final LockOptions options;
    private final long grantedAt;
    private Validity validity;
    private long renewAt;

    LeaseTime(Ticker ticker, double drift, LockOptions options, Validity validity) {
        this.ticker = ticker;
        this.drift = drift;
        this.options = options;
        this.validity = validity;
        this.grantedAt = ticker.nanos();
        this.renewAt = RenewalPlan.next(validity.asked(), validity.granted());
    }

    Validity validity() {
        return validity;
    }

    long lease() {
        return Nanos.of(options.lease());
    }

    long held() {
        return ticker.nanos() - grantedAt;
    }

    /** Zero or less when the lease is over. */
    long left() {
        return Math.min(validity.remaining(ticker), maxHoldLeft());
    }

    /** Why the lease is over. */
    Loss end() {
        return maxHoldLeft() <= 0
                ? new Loss(
                        LossCause.MAX_HOLD_REACHED,
                        "held for " + options.maxHold().orElseThrow())
                : new Loss(LossCause.EXPIRED, "the lease ended before a renewal was confirmed");
    }

    boolean inDanger() {
        return left() <= third();
    }

    boolean renewalDue() {
        return options.renewal() && renewAt - ticker.nanos() <= 0;
    }

    /** The store has confirmed a renewal that was sent at {@code asked}; false if nothing is left of what it gave. */
    boolean renewed(Validity.Stamp asked, Duration spent) {
        validity = Validity.of(asked, options.lease(), spent, drift);
        renewAt = RenewalPlan.next(validity.asked(), validity.granted());
        return validity.remaining(ticker) > 0;
    }

    /** How long after its due time a renewal is confirmed now. */
    long late() {
        return ticker.nanos() - renewAt;
    }

    void renewAgainSoon() {
        renewAt = RenewalPlan.again(ticker.nanos(), validity.granted());
    }

    /** A lease goes to another holder only while two thirds of it are left. */
    boolean isFresh() {
        return validity.remaining(ticker) >= lease() / 3 * 2;
    }

    /** When the lease wants to be looked at next: at its end, before that in danger, before that for renewal. */
    long nextMoment(boolean inDanger, boolean underRenewal) {
        long now = ticker.nanos();
        long left = left();
        long next = now + (inDanger ? left : Math.max(0, left - third()));
        return options.renewal() && !underRenewal && renewAt - next < 0 ? renewAt : next;
    }

    /** The part of what was granted in which a renewal is to be answered, and with which a lease is in danger. */
    long third() {
        return validity.granted() / 3;
    }

    private long maxHoldLeft() {
        return options.maxHold().map(limit -> Nanos.of(limit) - held()).orElse(Long.MAX_VALUE);
    }
}
