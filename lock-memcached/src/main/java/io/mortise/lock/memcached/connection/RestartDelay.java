// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import io.mortise.lock.LockConfigurationException;
import java.time.Duration;

/**
 * How long a server must have run before it grants locks: at least as long as the longest lease, so that every lease that it may
 * have forgotten in a restart has ended. Zero if it grants at once. Immutable.
 */
public record RestartDelay(Duration length) {
    public static final RestartDelay NONE = new RestartDelay(Duration.ZERO);

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(30);

    /** Throws {@link LockConfigurationException} if it is neither zero nor between a second and thirty days. */
    public RestartDelay {
        if (!length.isZero() && (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0)) {
            throw new LockConfigurationException(
                    "restartDelay is 0s, or from 1s to 30d and no shorter than the longest lease, not " + length);
        }
    }

    /** How long a server that has run for so long must still run, in nanoseconds; not positive if it grants. */
    long missingNanos(long ranFor) {
        return length.toNanos() - ranFor;
    }

    /** The longest lease for which it suffices; one without a delay suffices for none, and bounds none. */
    public Duration longestLease(Duration otherwise) {
        return length.isZero() || length.compareTo(otherwise) > 0 ? otherwise : length;
    }
}
