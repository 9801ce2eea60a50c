// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Nanos;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Computes until when the holder may rely on a lease that the store has confirmed. Counted from before the request was
 * sent, minus an allowance for clock drift: {@code validUntil = asked + lease − spent − lease × drift − 2 ms}, where
 * the claim tells how much of the lease was spent before the request. Immutable.
 *
 * <p>The monotonic clock stands still while a host sleeps. Wall time that has run ahead of it by more than 20
 * milliseconds, which is what reading two clocks and slewing one of them can explain, therefore counts instead; it can only shorten.
 *
 * @param asked when the request was sent
 * @param granted how much of the lease there was then, in nanoseconds
 * @param nanos how much of it could be relied on then, in nanoseconds
 */
public record Validity(Stamp asked, long granted, long nanos) {
    private static final long CONSTANT_DRIFT_NANOS = 2_000_000;
    private static final long WALL_TOLERANCE_NANOS = 20_000_000;

    /** The moment before a request is sent, by both clocks; {@link #of} makes a validity of it when the answer is yes. */
    public record Stamp(long nanos, long wallMillis) {
        public static Stamp now(Ticker ticker) {
            return new Stamp(ticker.nanos(), ticker.wallMillis());
        }
    }

    /** The validity of a lease that was confirmed by a request sent at {@code asked}, when {@code spent} of it was over. */
    public static Validity of(Stamp asked, Duration lease, Duration spent, double drift) {
        long gone = spent.isNegative() ? 0 : Nanos.of(spent);
        return new Validity(asked, lease.toNanos() - gone, usable(lease, drift) - gone);
    }

    /** What is left of a lease after the allowance for drift, in nanoseconds; not positive if the lease is too short. */
    public static long usable(Duration lease, double drift) {
        long nanos = lease.toNanos();
        return nanos - (long) Math.ceil(nanos * drift) - CONSTANT_DRIFT_NANOS;
    }

    /** How long it still lasts, in nanoseconds; zero or less when it is over. */
    public long remaining(Ticker ticker) {
        long elapsed = ticker.nanos() - asked.nanos();
        long wallElapsed = TimeUnit.MILLISECONDS.toNanos(ticker.wallMillis() - asked.wallMillis());
        return nanos - (wallElapsed - elapsed > WALL_TOLERANCE_NANOS ? wallElapsed : elapsed);
    }
}
