// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.gateway.Transaction.Operation;
import io.mortise.lock.spi.support.CallDeadline;

/** Whose end a claim waits for. Of one claim, and not thread-safe. */
final class QueuePlace {
    private final Gateway gateway;
    private final Waiters waiters;
    private final Runnable nudge;
    private volatile String predecessor = "";

    QueuePlace(Gateway gateway, Waiters waiters, Runnable nudge) {
        this.gateway = gateway;
        this.waiters = waiters;
        this.nudge = nudge;
    }

    boolean waits() {
        return !predecessor.isEmpty();
    }

    /** Whether the key before is there as far as is known, and its end will be heard. */
    boolean isUndisturbed() {
        return waits() && waiters.isWaiting(predecessor, nudge);
    }

    /** Has the claim nudged when a key is deleted; false if it is not there any more. */
    boolean waitsBehind(String key, long created, CallDeadline deadline) throws InterruptedException {
        if (key.equals(predecessor) && isUndisturbed()) {
            return true;
        }
        leave();
        predecessor = key;
        waiters.waitFor(key, created, nudge);
        // It may have been deleted since it was seen, and that was told to nobody.
        return !gateway.read(deadline, Operation.get(key))
                .replies()
                .get(0)
                .found()
                .isEmpty();
    }

    void leave() {
        if (waits()) {
            waiters.waitNoMore(predecessor, nudge);
            predecessor = "";
        }
    }
}
