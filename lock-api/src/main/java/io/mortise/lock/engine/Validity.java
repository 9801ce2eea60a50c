// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Lease arithmetic: how long a confirmed lease is good for on this side. Counted from before the request was sent, minus
 * what the two clocks may differ: {@code validUntil = asked + lease − spent − lease × drift − 2 ms}, where the claim tells
 * what was spent of the lease before the request. Immutable.
 *
 * <p>The monotonic clock stands still while a host sleeps. Wall time that has run ahead of it by more than a second
 * therefore counts instead; it can only shorten.
 */
final class Validity {
    private static final long CONSTANT_DRIFT_NANOS = 2_000_000;
    private static final long WALL_TOLERANCE_NANOS = 1_000_000_000;

    private final long asked;
    private final long askedWallMillis;
    private final long granted;
    private final long nanos;

    private Validity(long asked, long askedWallMillis, long granted, long nanos) {
        this.asked = asked;
        this.askedWallMillis = askedWallMillis;
        this.granted = granted;
        this.nanos = nanos;
    }

    /** Stamps the moment before a request is sent; {@link #of} turns it into a validity when the answer is yes. */
    record Stamp(long nanos, long wallMillis) {
        static Stamp now(Ticker ticker) {
            return new Stamp(ticker.nanos(), ticker.wallMillis());
        }
    }

    static Validity of(Stamp asked, Duration lease, Duration spent, double drift) {
        long gone = spent.isNegative() ? 0 : Nanos.of(spent);
        return new Validity(asked.nanos(), asked.wallMillis(), lease.toNanos() - gone, usable(lease, drift) - gone);
    }

    /** What is left of a lease after the allowance for drift, in nanoseconds; not positive if the lease is too short. */
    static long usable(Duration lease, double drift) {
        long nanos = lease.toNanos();
        return nanos - (long) Math.ceil(nanos * drift) - CONSTANT_DRIFT_NANOS;
    }

    /** When the request was sent. */
    long asked() {
        return asked;
    }

    /** How much of the lease there was when the request was sent, in nanoseconds. */
    long granted() {
        return granted;
    }

    /** The monotonic moment at which it ends, unless the host sleeps. */
    long until() {
        return asked + nanos;
    }

    /** How long it still lasts, in nanoseconds; zero or less when it is over. */
    long remaining(Ticker ticker) {
        long elapsed = ticker.nanos() - asked;
        long wallElapsed = TimeUnit.MILLISECONDS.toNanos(ticker.wallMillis() - askedWallMillis);
        return nanos - (wallElapsed - elapsed > WALL_TOLERANCE_NANOS ? wallElapsed : elapsed);
    }
}
