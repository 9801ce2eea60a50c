// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.engine.local.Nudge;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lease's renewal: idle, queued or under way, and how large its batch may be. Guarded by the monitor of its
 * {@link HeldLease}.
 */
final class RenewalStatus {
    private int batchLimit = Renewer.LARGEST_BATCH;
    private boolean queued;
    private boolean underWay;
    private boolean overtaken;
    private @Nullable Nudge ended;

    boolean isIdle() {
        return !queued && !underWay;
    }

    void queueIf(boolean due) {
        queued |= due;
    }

    /** Begins, unless the lease has ended while it was queued. Returns whether it began. */
    boolean begin(boolean held) {
        queued = false;
        underWay = held;
        return held;
    }

    void end() {
        underWay = false;
        if (ended != null) {
            ended.run();
        }
    }

    /** Nudged when the renewal that is under way has ended; null if none is. */
    @Nullable
    Nudge whenEnded() {
        ended = underWay ? new Nudge() : null;
        return ended;
    }

    /** The claim is released now, even if a renewal is still under way. */
    void overtake() {
        overtaken = underWay;
    }

    /** Whether the claim was released while a renewal was under way, which may have reached the store after the release. */
    boolean wasOvertaken() {
        return overtaken;
    }

    int batchLimit() {
        return batchLimit;
    }

    void answered() {
        batchLimit = Renewer.LARGEST_BATCH;
    }

    /** After an unanswered renewal the batch shrinks, so that one bad lease cannot fail the rest. */
    void unanswered() {
        batchLimit = Math.max(1, batchLimit / 10);
    }
}
