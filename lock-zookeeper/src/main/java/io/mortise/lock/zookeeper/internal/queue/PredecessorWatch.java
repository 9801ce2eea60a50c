// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.session.SessionCall;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.jspecify.annotations.Nullable;

/**
 * Watches the node before a waiter's own, and nudges the waiter when that node is deleted. Used by one thread at a
 * time.
 */
public final class PredecessorWatch {
    private final NodeWatches watches;
    private final Runnable nudge;
    private @Nullable String watched;

    @SuppressWarnings("UnnecessaryMethodReference") // two claims with one nudge are two to be nudged
    public PredecessorWatch(NodeWatches watches, Runnable nudge) {
        this.watches = watches;
        this.nudge = nudge::run;
    }

    /** Watches a node, and no other any more; false if it is gone. */
    public boolean watch(String node, SessionCall call) throws KeeperException, InterruptedException {
        if (node.equals(watched) && watches.has(node, nudge)) {
            return true;
        }
        stop();
        watched = node;
        watches.add(node, nudge);
        boolean watching = false;
        try {
            call.await(call.session().watchEnd(node, watches));
            watching = true;
        } catch (NoNodeException gone) {
            // and perhaps it is this claim's turn
        } finally {
            if (!watching) {
                stop();
            }
        }
        return watching;
    }

    /** Whether the node that was watched is gone, as far as is known. */
    public boolean hasFired() {
        return watched != null && !watches.has(watched, nudge);
    }

    /** Watches no node. */
    public void stop() {
        if (watched != null) {
            watches.remove(watched, nudge);
            watched = null;
        }
    }
}
