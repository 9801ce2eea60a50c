// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.Locale;

/**
 * What one turn of one entrant has shown.
 *
 * @param part of the measurements, such as {@code free}
 * @param store on which
 * @param setting such as {@code 8 threads}
 * @param entrant who
 * @param round counted from one
 * @param perSecond locks that were acquired and released
 * @param medianNanos of the time for one
 * @param p99Nanos which 99 of 100 did not exceed
 * @param unevenness the most of a thread, divided by the least of one
 */
record Figure(
        Part part,
        Store store,
        String setting,
        String entrant,
        int round,
        double perSecond,
        long medianNanos,
        long p99Nanos,
        double unevenness) {
    static long percentile(long[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * part)];
    }

    static double unevenness(int most, int least) {
        return least == 0 ? Double.POSITIVE_INFINITY : (double) most / least;
    }

    /** As one line of JSON. */
    String json() {
        return String.format(
                Locale.ROOT,
                "{\"part\":\"%s\",\"store\":\"%s\",\"setting\":\"%s\",\"entrant\":\"%s\",\"round\":%d,"
                        + "\"per_second\":%.1f,\"median_ns\":%d,\"p99_ns\":%d,\"unevenness\":%s}",
                part.word(),
                store,
                setting,
                entrant,
                round,
                perSecond,
                medianNanos,
                p99Nanos,
                // JSON has no word for what is infinite.
                Double.isInfinite(unevenness) ? "null" : String.format(Locale.ROOT, "%.2f", unevenness));
    }
}
