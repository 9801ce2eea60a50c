// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.check;

import java.util.List;
import java.util.Map;

/**
 * What a run has shown.
 *
 * @param grants how often a lock was granted
 * @param words how often calls ended in each other word
 * @param allowed overlaps and tokens that the store's page does not promise to prevent, by what it says
 * @param longestLossNanos how late the latest loss was told after the end of its lease, freezes and stalls left out
 * @param staleRefused how many writes the guarded place has refused
 * @param violations what must not have happened, each with what happened around it
 */
public record Verdict(
        long grants,
        Map<String, Long> words,
        Map<String, Long> allowed,
        long longestLossNanos,
        long staleRefused,
        List<String> violations) {}
