// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import java.util.ArrayList;
import java.util.List;

/**
 * The state of one lease's renewal: idle, queued or under way, and how large its batch may be. Guarded by the monitor of its
 * {@link HeldLease} where nothing else is said.
 */
final class RenewalStatus {
    private final List<Runnable> watchers = new ArrayList<>(0);
    private volatile int batchLimit = Renewer.LARGEST_BATCH;
    private long begun;
    private boolean queued;
    private boolean underWay;
    private boolean overtaken;

    boolean isIdle() {
        return !queued && !underWay;
    }

    /** The number of the renewal that began last. */
    long number() {
        return begun;
    }

    boolean isUnderWay() {
        return underWay;
    }

    void queue() {
        queued = true;
    }

    /** Begins, unless the lease has ended while it was queued. Returns whether it began. */
    boolean begin(boolean held) {
        queued = false;
        underWay = held;
        begun++;
        return held;
    }

    void end() {
        queued = false;
        underWay = false;
        for (int i = 0; i < watchers.size(); i++) {
            watchers.get(i).run();
        }
    }

    /** Run at the end of each renewal until it is removed: quick, never throws. */
    void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    void unwatch(Runnable watcher) {
        watchers.remove(watcher);
    }

    /** The claim is released now, even if a renewal is still under way. */
    void overtake() {
        overtaken = underWay;
    }

    /** Whether the claim was released while a renewal was under way, which may have reached the store after the release. */
    boolean wasOvertaken() {
        return overtaken;
    }

    /** May be read without the monitor. */
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
