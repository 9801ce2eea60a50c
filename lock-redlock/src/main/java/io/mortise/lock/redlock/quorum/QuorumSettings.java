// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import java.time.Duration;

/**
 * On what settings a quorum grants. Immutable.
 *
 * @param memberTimeout how long one member may take to answer
 * @param restartDelay how long a member must have run before its yes counts
 * @param strict whether that is so of a new quorum too, all of whose members were started together
 * @param clockBound how far the members' clocks may differ
 * @param fenced whether grants have tokens
 */
public record QuorumSettings(
        Duration memberTimeout, Duration restartDelay, boolean strict, Duration clockBound, boolean fenced) {
    /** What one member gets of the time of a call that asks it up to {@code times} times. */
    public Duration forMember(Duration atMost, int times) {
        Duration part = atMost.dividedBy(times);
        return part.compareTo(memberTimeout) < 0 ? part : memberTimeout;
    }
}
