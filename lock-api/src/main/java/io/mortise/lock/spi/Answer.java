// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A store's answer to the renewal of one claim of a batch: yes, no, or unknown. */
public enum Answer {
    /** The claim holds, its lease is full again, less what {@link Claim#leaseSpent()} tells. */
    YES,
    /** The claim does not hold any more: a known fact. */
    NO,
    /** The store did not answer for this claim: it may or may not hold. */
    UNKNOWN;

    /** Renews one claim after the other; each but the last gets at most half of the time that is left. */
    static List<Answer> oneByOne(List<? extends Claim> claims, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        List<Answer> answers = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            long left = end - System.nanoTime();
            boolean last = answers.size() == claims.size() - 1;
            answers.add(left <= 0 ? UNKNOWN : of(claim, Duration.ofNanos(last ? left : left / 2 + 1)));
        }
        return answers;
    }

    /** Renews one claim; whatever it throws counts as no answer. */
    private static Answer of(Claim claim, Duration atMost) {
        try {
            return claim.renew(atMost) ? YES : NO;
        } catch (RuntimeException unanswered) {
            return UNKNOWN;
        }
    }
}
