// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import java.time.Duration;

/**
 * A lease that a member, or a majority, has confirmed by its answer to one request. Immutable.
 *
 * @param asked the moment before the request was sent, in the time of {@link System#nanoTime()}
 * @param length how long the lease was to last
 * @param spent how much of it was over when the request was sent
 */
public record ConfirmedLease(long asked, Duration length, Duration spent) {
    /** Clocks may drift by this fraction of a lease, and by a constant. */
    private static final long DRIFT_SHARE = 100;

    private static final long CONSTANT_DRIFT_NANOS = 2_000_000;

    /** Whether there is time left, minus the drift allowance. */
    public boolean isInTime() {
        return certainEnd() - System.nanoTime() > 0;
    }

    /** Whether this one certainly lasts as long as another, whatever the drift of clocks within the allowance. */
    public boolean lastsAsLongAs(ConfirmedLease other) {
        return end() - other.end() >= 0 && certainEnd() - other.certainEnd() >= 0;
    }

    private long end() {
        return asked + length.minus(spent).toNanos();
    }

    private long certainEnd() {
        return end() - length.toNanos() / DRIFT_SHARE - CONSTANT_DRIFT_NANOS;
    }
}
