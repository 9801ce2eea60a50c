// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.time.Duration;

/**
 * The leases that a store can honour. A lease outside is refused before anything is sent.
 *
 * @param shortest the shortest lease, inclusive, positive
 * @param longest the longest lease, inclusive
 */
public record LeaseBounds(Duration shortest, Duration longest) {
    /** From one millisecond to ten years. */
    public static final LeaseBounds WIDEST = new LeaseBounds(Duration.ofMillis(1), Duration.ofDays(3650));

    /**
     * Checks the bounds.
     *
     * @param shortest positive
     * @param longest not less than {@code shortest}
     * @throws IllegalArgumentException if one of them is not so
     */
    public LeaseBounds {
        if (shortest.isNegative() || shortest.isZero() || shortest.compareTo(longest) > 0) {
            throw new IllegalArgumentException("no lease fits between " + shortest + " and " + longest);
        }
    }

    /**
     * Whether a lease lies within these bounds.
     *
     * @param lease the lease asked for
     * @return true if the store can honour it
     */
    public boolean allow(Duration lease) {
        return lease.compareTo(shortest) >= 0 && lease.compareTo(longest) <= 0;
    }
}
