// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import org.jspecify.annotations.Nullable;

/**
 * Whether one lease waits to be renewed, or is being renewed, and in how large a batch it may be. Guarded by the monitor of
 * its {@link Hold}.
 */
final class RenewalTurn {
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

    /** Begins, unless the lease has ended while it waited; answers whether it did. */
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

    /** The claim is released now, whether or not a renewal is still under way. */
    void overtake() {
        overtaken = underWay;
    }

    /** Whether the claim was released while a renewal was under way, which may have come last in the store. */
    boolean wasOvertaken() {
        return overtaken;
    }

    int batchLimit() {
        return batchLimit;
    }

    void answered() {
        batchLimit = Renewer.LARGEST_BATCH;
    }

    /** A lease that gets no answer goes on in ever smaller company, lest it keep the answers from others. */
    void unanswered() {
        batchLimit = Math.max(1, batchLimit / 10);
    }
}
