// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.client.ClientContext;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.node.RevocationNote;
import io.mortise.lock.zookeeper.internal.session.Deadline;
import io.mortise.lock.zookeeper.internal.session.Session;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * One revocation. Meant for who is first in line when it begins: what is asked again after a broken connection never hits the
 * next. Used once, by one thread.
 */
public final class Revocation {
    private final ClientContext ensemble;
    private final LockQueue queue;
    private final String lock;
    private final String reason;
    private final boolean now;
    private @Nullable String victim;

    public Revocation(ClientContext ensemble, String lock, String reason, boolean now) {
        this.ensemble = ensemble;
        this.queue = new LockQueue(ensemble, lock);
        this.lock = lock;
        this.reason = reason;
        this.now = now;
    }

    /** Revokes; false if nobody held the lock. */
    public boolean run(Deadline calm) {
        return ensemble.callCalmly(calm, session -> {
            if (victim == null) {
                List<String> line = queue.line(session, calm);
                if (line.isEmpty()) {
                    return false;
                }
                victim = line.get(0);
            }
            return evict(victim, session, calm);
        });
    }

    private boolean evict(String name, Session session, Deadline calm) throws KeeperException, InterruptedException {
        String path = queue.pathOf(name);
        while (true) {
            try {
                if (now) {
                    byte[] note = new RevocationNote(name, reason).bytes();
                    calm.await(session.multi(List.of(Op.setData(queue.path(), note, -1), Op.delete(path, -1))));
                } else {
                    Session.Data node = calm.await(session.data(path));
                    NodeText text = NodeText.read(lock, node.bytes()).withRevocation(reason);
                    calm.await(session.write(path, text.bytes(), node.stat().getVersion()));
                }
                return true;
            } catch (BadVersionException changed) {
                // by the holder: once more
            } catch (NoNodeException hasGone) {
                return true;
            }
        }
    }
}
