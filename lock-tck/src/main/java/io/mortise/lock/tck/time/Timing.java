// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.time;

import java.time.Duration;

/**
 * Computes how much time the suite allows for a step. Lower bounds are exact; an upper bound is never tighter than ten
 * round trips to the store and a quarter of a second, times the system property {@value #PATIENCE} (default 1). The round trip is one try, as measured at the start.
 */
public record Timing(Duration roundTrip, double patience) {
    /** The system property with the factor for slow machines. */
    public static final String PATIENCE = "mortise.tck.patience";

    /** With the patience of the system property. */
    public static Timing measured(Duration roundTrip) {
        return new Timing(roundTrip, Double.parseDouble(System.getProperty(PATIENCE, "1")));
    }

    /** The shorter of two. */
    public static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** What an answer may take that should come at once: a quarter of a second and ten round trips, times the patience. */
    public Duration tolerance() {
        return scaled(roundTrip.multipliedBy(10).plusMillis(250));
    }

    /** How long the suite waits for what must come some time: ten seconds, times the patience. */
    public Duration limit() {
        return scaled(Duration.ofSeconds(10));
    }

    /** How long the store may take for one answer: two seconds, times the patience. */
    public Duration callLimit() {
        return scaled(Duration.ofSeconds(2));
    }

    /** The same with so many times the patience. */
    public Timing times(int factor) {
        return new Timing(roundTrip, patience * factor);
    }

    public Duration scaled(Duration duration) {
        return Duration.ofNanos((long) (duration.toNanos() * patience));
    }

    /** As many repetitions as asked for, or as fit into two seconds of two round trips each, but {@code least} in any case. */
    public int times(int wanted, int least) {
        long fit = 2_000_000_000L / Math.max(1, 2 * roundTrip.toNanos());
        return (int) Math.max(least, Math.min(wanted, fit));
    }
}
