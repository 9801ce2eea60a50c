// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.time.Duration;

/** Converts durations to nanoseconds without overflow. */
public final class Nanos {
    /** More than 146 years: as good as forever, and safe to add to a moment. */
    public static final long FOREVER = Long.MAX_VALUE / 2;

    /** About fifty years: a call time-out that is longer is as good as this, and a few of them still add up. */
    public static final Duration LONGEST_CALL = Duration.ofDays(18_000);

    private static final Duration LONGEST = Duration.ofNanos(FOREVER);

    private Nanos() {}

    /** The duration in nanoseconds, at most {@link #FOREVER}. */
    public static long of(Duration duration) {
        return duration.compareTo(LONGEST) >= 0 ? FOREVER : duration.toNanos();
    }
}
