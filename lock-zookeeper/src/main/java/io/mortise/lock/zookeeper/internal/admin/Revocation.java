// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.admin;

import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.node.RevocationNotes;
import io.mortise.lock.zookeeper.internal.queue.LockQueue;
import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * Revokes a lock: takes it away from the claim that is first in its queue when the revocation begins. A request that
 * is repeated after a broken connection never hits the next holder. Used once, by one thread.
 */
public final class Revocation {
    private final String queue;
    private final String lock;
    private final String reason;
    private final boolean now;
    private @Nullable String victim;
    /** Whether a request to revoke was sent that has got no answer. */
    private boolean unanswered;

    /** With {@code now}, the holder's node is deleted; else the holder is asked to let go. */
    public Revocation(String queue, String lock, String reason, boolean now) {
        this.queue = queue;
        this.lock = lock;
        this.reason = reason;
        this.now = now;
    }

    /** Revokes; false if nobody held the lock. */
    public boolean run(CuratorSessions sessions, Duration atMost) {
        return sessions.callUninterruptibly(atMost, call -> {
            if (victim == null) {
                List<String> inOrder = LockQueue.nodesInOrder(queue, call);
                if (inOrder.isEmpty()) {
                    return false;
                }
                victim = inOrder.get(0);
            }
            return revoke(victim, call);
        });
    }

    private boolean revoke(String name, SessionCall call) throws KeeperException, InterruptedException {
        Session session = call.session();
        String path = queue + "/" + name;
        boolean mayHaveRevoked = unanswered;
        while (true) {
            try {
                unanswered = true;
                if (now) {
                    Session.Data shard = call.await(session.data(NodePaths.shardOf(queue)));
                    byte[] notes = RevocationNotes.read(shard.bytes()).bytesWith(name, reason);
                    Op note = Op.setData(
                            NodePaths.shardOf(queue), notes, shard.stat().getVersion());
                    call.await(session.multi(List.of(note, Op.delete(path, -1))));
                } else {
                    Session.Data node = call.await(session.data(path));
                    NodeText text = NodeText.read(lock, node.bytes()).withRevocation(reason);
                    call.await(session.write(path, text.bytes(), node.stat().getVersion()));
                }
                return true;
            } catch (BadVersionException changed) {
                // by the holder, or by another revocation: once more
            } catch (NoNodeException hasGone) {
                return mayHaveRevoked;
            }
        }
    }
}
