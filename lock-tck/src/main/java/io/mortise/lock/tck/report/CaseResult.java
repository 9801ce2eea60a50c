// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.report;

import io.mortise.lock.tck.history.Hold;
import java.util.List;

/**
 * What became of one case.
 *
 * @param name of its method
 * @param rule such as {@code A1}
 * @param feature that a backend must declare for it, or {@code CORE}
 * @param says what must be so
 * @param millis how long it took, with all its runs
 * @param message of its failure, or why it was skipped; empty if it passed
 * @param holds who held the lock that most clients got
 */
public record CaseResult(
        String name,
        String rule,
        String feature,
        String says,
        Verdict verdict,
        long millis,
        String message,
        List<Hold> holds) {
    /** The end of a case. */
    public enum Verdict {
        PASSED,
        FAILED,
        SKIPPED
    }
}
