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

    /**
     * Renews one claim after the other; each but the last gets at most half of the time that is left. Whatever a claim throws counts
     * as no answer for it.
     *
     * @throws BackendException with the kind {@link BackendException.Kind#REFUSED}, if no claim got an answer and the store refused
     *     one for good
     */
    static List<Answer> oneByOne(List<Renewal> renewals, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        List<Answer> answers = new ArrayList<>(renewals.size());
        BackendException refusal = null;
        for (Renewal renewal : renewals) {
            long left = end - System.nanoTime();
            boolean last = answers.size() == renewals.size() - 1;
            Duration part = Duration.ofNanos(last ? left : left / 2 + 1);
            Answer answer = UNKNOWN;
            try {
                if (left > 0) {
                    answer = renewal.claim().renew(renewal.lease(), part) ? YES : NO;
                }
            } catch (BackendException unanswered) {
                refusal = unanswered.kind() == BackendException.Kind.REFUSED ? unanswered : refusal;
            } catch (Throwable unanswered) {
                // The others are asked all the same.
            }
            answers.add(answer);
        }
        if (refusal != null && answers.stream().allMatch(answer -> answer == UNKNOWN)) {
            throw refusal;
        }
        return answers;
    }
}
