// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.time.Duration;
import java.util.Optional;

/**
 * The times that a guard keeps. Immutable.
 *
 * @param lease how long a lease lasts, or the lock may be held at all if that is shorter: the guard asks for its rest every twelfth of
 *     it, and kills the command a tenth of it before the end: at most a second, and at most half of the warning
 * @param warning how much of the lease is left when the command is told to end
 * @param timeout how long the command may run, if that is limited
 */
public record GuardTimes(Duration lease, Duration warning, Optional<Duration> timeout) {
    private static final long FOREVER_MILLIS = Duration.ofDays(100_000).toMillis();

    /**
     * The times of a lease. The warning comes when a third of it is left: the store may answer yet. The end of {@code maxHold} is
     * certain, so that the warning takes an eighth of it at most.
     */
    public static GuardTimes of(Duration lease, Optional<Duration> maxHold, Optional<Duration> timeout) {
        Duration warning = shorter(lease.dividedBy(3), maxHold.map(longest -> longest.dividedBy(8)));
        return new GuardTimes(shorter(lease, maxHold), warning, timeout);
    }

    private static Duration shorter(Duration one, Optional<Duration> other) {
        return other.filter(time -> time.compareTo(one) < 0).orElse(one);
    }

    /** As the guard reads them, in milliseconds; a time-out of 0 for none. */
    String words() {
        return lease.toMillis() + " " + warning.toMillis() + " "
                + timeout.map(GuardTimes::millis).orElse(0L);
    }

    private static long millis(Duration time) {
        return time.getSeconds() > FOREVER_MILLIS / 1000 ? FOREVER_MILLIS : Math.max(1, time.toMillis());
    }
}
