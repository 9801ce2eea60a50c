// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import java.time.Duration;

/**
 * The settings of a quorum. Immutable.
 *
 * @param memberTimeout how long one member may take to answer
 * @param restartDelay how long a member must have run before its yes counts
 * @param newQuorum whether members have a vote at once that were started before this client was opened
 * @param clockBound how far the members' clocks may differ
 * @param fenced whether grants have tokens
 */
public record QuorumSettings(
        Duration memberTimeout, Duration restartDelay, boolean newQuorum, Duration clockBound, boolean fenced) {
    /** How long one member may take for one answer, in a call that asks it up to {@code times} times. */
    public Duration memberTime(Duration atMost, int times) {
        Duration part = atMost.dividedBy(times);
        return part.compareTo(memberTimeout) < 0 ? part : memberTimeout;
    }
}
