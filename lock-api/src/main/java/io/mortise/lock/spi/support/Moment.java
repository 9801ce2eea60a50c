// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import io.mortise.lock.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * A moment by two clocks of this host, for what goes on while the host is suspended: a lease, a session. The monotonic clock
 * stands still then. Wall time that has run ahead of it by more than 20 milliseconds, which is what reading two clocks and
 * slewing one of them can explain, therefore counts instead; so a wall clock that is set can only make more time pass. Immutable.
 *
 * @param nanos monotonic time, as of {@link Ticker#nanos()}
 * @param wallMillis wall time, as of {@link Ticker#wallMillis()}
 */
public record Moment(long nanos, long wallMillis) {
    private static final long WALL_TOLERANCE_NANOS = 20_000_000;

    /**
     * {@return now} If the host is suspended between the two readings, that counts as before the moment.
     *
     * @param ticker tells both times
     */
    public static Moment now(Ticker ticker) {
        return new Moment(ticker.nanos(), ticker.wallMillis());
    }

    /**
     * {@return how many nanoseconds have passed since another moment, those in which the host was suspended, too}
     *
     * @param earlier a moment before this one, by the same clocks
     */
    public long since(Moment earlier) {
        return elapsed(nanos - earlier.nanos, wallMillis - earlier.wallMillis);
    }

    /**
     * {@return how many nanoseconds have passed: more than the monotonic clock says if the host was suspended} Needs no memory.
     *
     * @param nanos how much monotonic time has passed
     * @param wallMillis how much wall time has passed
     */
    public static long elapsed(long nanos, long wallMillis) {
        long wallNanos = TimeUnit.MILLISECONDS.toNanos(wallMillis);
        return wallNanos - nanos > WALL_TOLERANCE_NANOS ? wallNanos : nanos;
    }
}
