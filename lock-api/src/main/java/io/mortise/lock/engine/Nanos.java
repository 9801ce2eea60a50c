// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import java.time.Duration;

/** Durations in nanoseconds that cannot overflow. */
final class Nanos {
    /** More than 146 years: as good as for ever, and safe to add to a moment. */
    static final long FOREVER = Long.MAX_VALUE / 2;

    private static final Duration LONGEST = Duration.ofNanos(FOREVER);

    private Nanos() {}

    static long of(Duration duration) {
        return duration.compareTo(LONGEST) >= 0 ? FOREVER : duration.toNanos();
    }
}
