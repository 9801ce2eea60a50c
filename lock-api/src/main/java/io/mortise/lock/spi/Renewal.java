// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.time.Duration;

/**
 * One claim of a batch that is to be renewed, and for how long. Immutable.
 *
 * @param claim the claim, which holds its lock as far as the caller knows
 * @param lease how long the lease is to last, counted from the call; positive, within the backend's {@link LeaseBounds}
 */
public record Renewal(Claim claim, Duration lease) {
    /**
     * Checks the renewal.
     *
     * @param claim any claim
     * @param lease positive
     * @throws IllegalArgumentException if the lease is not positive
     */
    public Renewal {
        if (lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException("lease must be positive, not " + lease);
        }
    }
}
