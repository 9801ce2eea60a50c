// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import java.time.Duration;

/**
 * The one time budget of a call: the wait for others, all tries, and the silence of the store come out of it. Immutable.
 *
 * @param patience for how long others may hold the lock, in nanoseconds; 0 for a single try
 * @param silence for how long the store may give no answer at all, in nanoseconds, where {@code patience} does not limit it
 * @param start when the call began
 */
record Budget(long patience, long silence, long start) {
    /** The least time that a question to the store gets, also when the budget is used up. */
    private static final long SHORTEST_CALL = 200_000_000;

    boolean waits() {
        return patience > 0;
    }

    boolean isLimited() {
        return patience < Nanos.FOREVER;
    }

    /** How long the call may still wait for others. */
    long left(long now) {
        return isLimited() ? patience - (now - start) : Nanos.FOREVER;
    }

    /** How long the next question to the store may take. */
    Duration forCall(long now, Duration callTimeout) {
        long call = callTimeout.toNanos();
        return Duration.ofNanos(waits() ? Math.max(Math.min(SHORTEST_CALL, call), Math.min(call, left(now))) : call);
    }

    boolean endsAfterRefusal(long now) {
        return left(now) <= 0;
    }

    /** Silence counts as "not yet" while budget is left; a single try and a wait without limit have one of their own. */
    boolean endsAfterSilence(long now, long answeredAt) {
        return (waits() && isLimited()) ? left(now) <= 0 : now - answeredAt >= silence;
    }
}
