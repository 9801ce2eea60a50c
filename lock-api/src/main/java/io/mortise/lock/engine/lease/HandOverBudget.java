// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Nanos;

/**
 * How far a lock that the store has granted may be handed over within this client before the store is asked again. Immutable.
 *
 * @param left how often
 * @param until by when, in the time of the {@link Ticker}
 */
public record HandOverBudget(int left, long until) {
    private static final int MOST = 16;

    /** Where the store keeps its waiters in order, those of other clients are passed over: often, but not for long. */
    private static final int MOST_WHERE_FAIR = 31;

    private static final long FAIR_NANOS = 5_000_000;

    /** How often a lock with these options may be handed over after one grant: none with a least hold, since the store keeps it for one caller. */
    public static int most(LockOptions options, boolean isFair) {
        return options.minHold().isPresent() ? 0 : options.localHandOvers().orElse(isFair ? MOST_WHERE_FAIR : MOST);
    }

    /** That of a grant which was made known now. */
    public static HandOverBudget of(LockOptions options, boolean isFair, Ticker ticker) {
        // With a number of the caller's own, only that counts.
        boolean isLimited = isFair && options.localHandOvers().isEmpty();
        return new HandOverBudget(most(options, isFair), ticker.nanos() + (isLimited ? FAIR_NANOS : Nanos.FOREVER));
    }

    boolean allows(Ticker ticker) {
        return left > 0 && until - ticker.nanos() > 0;
    }

    HandOverBudget afterOne() {
        return new HandOverBudget(left - 1, until);
    }
}
