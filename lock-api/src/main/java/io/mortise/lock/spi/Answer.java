// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A store's answer to the renewal of one claim of a batch: yes, no, or unknown. */
public enum Answer {
    /** The claim holds, its lease is as long as was asked for, less what {@link Claim#leaseSpent()} tells. */
    YES,
    /** The claim does not hold any more: a known fact. */
    NO,
    /** The store did not answer for this claim: it may or may not hold. */
    UNKNOWN;

    /** Renews one claim after the other; each but the last gets at most half of the time that is left. */
    static List<Answer> oneByOne(List<Renewal> renewals, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        List<Answer> answers = new ArrayList<>(renewals.size());
        for (Renewal renewal : renewals) {
            long left = end - System.nanoTime();
            boolean last = answers.size() == renewals.size() - 1;
            answers.add(left <= 0 ? UNKNOWN : of(renewal, Duration.ofNanos(last ? left : left / 2 + 1)));
        }
        return answers;
    }

    /** Renews one claim; whatever it throws counts as no answer. */
    private static Answer of(Renewal renewal, Duration atMost) {
        try {
            return renewal.claim().renew(renewal.lease(), atMost) ? YES : NO;
        } catch (Throwable unanswered) {
            return UNKNOWN;
        }
    }
}
