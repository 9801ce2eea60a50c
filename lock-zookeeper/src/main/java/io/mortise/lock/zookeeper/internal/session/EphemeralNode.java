// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.spi.BackendException;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;

/**
 * The last known state of an ephemeral node, which ends with the session that made it. The czxid, the zxid of its
 * creation, is 0 while it is not known; the version of its data is the one that this client left. Immutable.
 */
public record EphemeralNode(String path, Session session, long czxid, int version) {
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    public EphemeralNode withCzxid(long zxid) {
        return new EphemeralNode(path, session, zxid, version);
    }

    public EphemeralNode withVersion(int newVersion) {
        return new EphemeralNode(path, session, czxid, newVersion);
    }

    /**
     * Makes sure that the session lives for most of a lease, given in nanoseconds, as far as the call has time for it. A
     * session that is new, or was out of touch, may have to be confirmed before it can be relied on.
     *
     * @throws BackendException if nothing is certain at the end
     * @throws KeeperException.NoNodeException if the node is gone
     */
    public void confirmSession(long lease, SessionCall call) throws KeeperException, InterruptedException {
        SessionClock clock = session.clock();
        while (clock.left(call.asked()) < lease - lease / 3) {
            long wait = clock.untilConfirmable(System.nanoTime());
            if (wait >= call.deadline().remainingNanos()) {
                break;
            }
            call.deadline().pause(wait);
            call.await(session.sync(path));
            call.await(session.multi(List.of(Op.check(path, -1))));
        }
        if (clock.left(call.asked()) <= 0) {
            throw new BackendException(
                    "the session with ZooKeeper is too young to be relied on; it will be in "
                            + clock.untilConfirmable(System.nanoTime()) / 1_000_000 + " ms",
                    null);
        }
    }
}
