// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.time.Duration;

/**
 * The shortest and the longest lease that a store can honour. A lease outside is refused before anything is sent.
 *
 * @param shortest the shortest lease, inclusive, positive
 * @param longest the longest lease, inclusive
 * @param afterCrash for how long at most a holder that died, was frozen or was cut off keeps its lock, where the store ends
 *     what such a holder had by a clock other than its lease, as it does with sessions; zero where leases alone count
 */
public record LeaseBounds(Duration shortest, Duration longest, Duration afterCrash) {
    /** From one millisecond to ten years. A client takes its allowance for clock drift off, which is more than 2 ms of each lease. */
    public static final LeaseBounds WIDEST = new LeaseBounds(Duration.ofMillis(1), Duration.ofDays(3650));

    /**
     * Checks the bounds.
     *
     * @param shortest positive
     * @param longest not less than {@code shortest}
     * @param afterCrash not negative
     * @throws IllegalArgumentException if one of them is not so
     */
    public LeaseBounds {
        if (shortest.isNegative() || shortest.isZero() || shortest.compareTo(longest) > 0) {
            throw new IllegalArgumentException("no lease fits between " + shortest + " and " + longest);
        }
        if (afterCrash.isNegative()) {
            throw new IllegalArgumentException("afterCrash must not be negative, but is " + afterCrash);
        }
    }

    /**
     * Bounds of a store that ends every lease itself.
     *
     * @param shortest the shortest lease, positive
     * @param longest not less than {@code shortest}
     * @throws IllegalArgumentException if one of them is not so
     */
    public LeaseBounds(Duration shortest, Duration longest) {
        this(shortest, longest, Duration.ZERO);
    }

    /**
     * {@return whether a lease lies within these bounds}
     *
     * @param lease the lease asked for
     */
    public boolean allow(Duration lease) {
        return lease.compareTo(shortest) >= 0 && lease.compareTo(longest) <= 0;
    }

    /**
     * {@return whether the store keeps a lock for its lease when its holder has gone: true where leases alone count} Only then can
     * a lock be kept for others' sake, by {@link io.mortise.lock.LockOptions#minHold()} and
     * {@link io.mortise.lock.LockOptions#lockDelay()}.
     */
    public boolean outlivesHolder() {
        return afterCrash.isZero();
    }

    /**
     * {@return when the lock of a holder that died is free at the latest, give or take the resolution of the store's clock:
     * after its lease, or {@link #afterCrash()} if that is longer}
     *
     * @param lease the lease that the holder had
     */
    public Duration freeAfterCrash(Duration lease) {
        return lease.compareTo(afterCrash) < 0 ? afterCrash : lease;
    }
}
