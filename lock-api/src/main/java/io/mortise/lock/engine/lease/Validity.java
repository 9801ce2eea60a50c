// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.spi.support.Moment;
import java.time.Duration;

/**
 * Computes until when the holder may rely on a lease that the store has confirmed. Counted from before the request was
 * sent, minus an allowance for clock drift: {@code validUntil = asked + lease − spent − lease × drift − 2 ms}, where
 * the claim tells how much of the lease was spent before the request. Time in which the host was suspended counts. Immutable.
 *
 * @param asked when the request was sent
 * @param granted how much of the lease there was then, in nanoseconds
 * @param nanos how much of it could be relied on then, in nanoseconds
 */
public record Validity(Moment asked, long granted, long nanos) {
    private static final long CONSTANT_DRIFT_NANOS = 2_000_000;

    /** The validity of a lease that was confirmed by a request sent at {@code asked}, when {@code spent} of it was over. */
    public static Validity of(Moment asked, Duration lease, Duration spent, double drift) {
        long gone = spent.isNegative() ? 0 : Nanos.of(spent);
        return new Validity(asked, lease.toNanos() - gone, usable(lease, drift) - gone);
    }

    /** The lease of which the allowance for drift leaves nothing: a lease must be longer. */
    public static Duration floor(double drift) {
        return Duration.ofNanos((long) Math.ceil(CONSTANT_DRIFT_NANOS / (1 - drift)));
    }

    /** What is left of a lease after the allowance for drift, in nanoseconds; not positive if the lease is too short. */
    public static long usable(Duration lease, double drift) {
        long nanos = lease.toNanos();
        return nanos - (long) Math.ceil(nanos * drift) - CONSTANT_DRIFT_NANOS;
    }

    /** How long it still lasts, in nanoseconds; zero or less when it is over. */
    public long remaining(Ticker ticker) {
        return nanos - elapsed(ticker);
    }

    /** How long ago the request was sent, in nanoseconds. */
    long elapsed(Ticker ticker) {
        return Moment.elapsed(ticker.nanos() - asked.nanos(), ticker.wallMillis() - asked.wallMillis());
    }
}
