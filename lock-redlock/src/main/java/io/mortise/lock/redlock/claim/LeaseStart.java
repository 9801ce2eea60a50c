// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import java.time.Duration;

/**
 * From when a lease counts, on this side. Immutable.
 *
 * @param asked the moment before the first member was asked, in the time of {@link System#nanoTime()}
 * @param spent what a majority had spent of it by then
 */
public record LeaseStart(long asked, Duration spent) {
    private static final long CONSTANT_DRIFT_NANOS = 2_000_000;
    private static final long DRIFT_SHARE = 100;

    /** Whether anything is left of the lease, the clocks' drift taken off. */
    public boolean isInTime(Duration lease) {
        long nanos = lease.toNanos();
        return System.nanoTime() - asked + spent.toNanos() < nanos - nanos / DRIFT_SHARE - CONSTANT_DRIFT_NANOS;
    }
}
