// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults;

import io.mortise.lock.faults.check.Verdict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What one store's run has shown.
 *
 * @param faults how often each kind of fault was caused
 * @param violations what must not have happened
 * @param leftOut the faults that the store could have and did not get, with reasons
 */
record Result(
        String store,
        long seed,
        Map<String, Integer> faults,
        Verdict verdict,
        List<String> violations,
        List<String> leftOut) {
    static final String HEADER =
            "| store | grants | faults | calls that ended otherwise | latest loss, ms after its lease |"
                    + " overlaps and tokens excused | stale writes refused | violations | seed |\n"
                    + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |";

    /** A row of a table. */
    String row() {
        return "| "
                + String.join(
                        " | ",
                        store,
                        String.valueOf(verdict.grants()),
                        counts(faults),
                        counts(verdict.words()),
                        String.valueOf(TimeUnit.NANOSECONDS.toMillis(verdict.longestLossNanos())),
                        counts(verdict.allowed()),
                        String.valueOf(verdict.staleRefused()),
                        String.valueOf(violations.size()),
                        String.valueOf(seed))
                + " |";
    }

    private static String counts(Map<String, ? extends Number> counts) {
        return counts.isEmpty()
                ? "0"
                : counts.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", "));
    }
}
