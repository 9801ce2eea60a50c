// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.zookeeper.internal.client.ClientContext;
import io.mortise.lock.zookeeper.internal.node.LockPath;
import io.mortise.lock.zookeeper.internal.node.QueueOrder;
import io.mortise.lock.zookeeper.internal.node.RevocationNote;
import io.mortise.lock.zookeeper.internal.session.Deadline;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** The requests about the queue of one lock. Those of one method travel together. Stateless. */
public final class LockQueue {
    private static final Loss GONE = new Loss(LossCause.EVICTED_OR_DELETED, "the node of this lock is gone");

    private final ClientContext ensemble;
    private final LockPath lock;
    private final String path;

    public LockQueue(ClientContext ensemble, String lock) {
        this.ensemble = ensemble;
        this.lock = LockPath.of(lock);
        this.path = ensemble.layout.queue(this.lock);
    }

    public String path() {
        return path;
    }

    public String pathOf(String name) {
        return path + "/" + name;
    }

    /** All nodes in order, as the leader knows them. */
    public List<String> line(Session session, Deadline deadline) throws KeeperException, InterruptedException {
        CompletableFuture<String> caughtUp = session.sync(path);
        CompletableFuture<List<String>> children = session.children(path);
        deadline.await(caughtUp, children);
        try {
            return QueueOrder.inOrder(deadline.await(children));
        } catch (NoNodeException nobody) {
            return List.of();
        }
    }

    /** A claim's node of this session, or null if there is none; all others of the claim are deleted. */
    @Nullable
    public EphemeralNode find(String prefix, Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        EphemeralNode found = null;
        for (String name : line(session, deadline)) {
            Stat stat = name.startsWith(prefix) ? stat(pathOf(name), session, deadline) : null;
            if (stat != null && stat.getEphemeralOwner() == session.id() && found == null) {
                found = new EphemeralNode(pathOf(name), session, stat.getCzxid(), stat.getVersion());
            } else if (stat != null) {
                ensemble.orphans.delete(pathOf(name));
            }
        }
        return found;
    }

    private static @Nullable Stat stat(String node, Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        try {
            return deadline.await(session.exists(node));
        } catch (NoNodeException gone) {
            return null;
        }
    }

    /**
     * Looks from a node, as the leader knows it. The last step before a grant.
     *
     * @return null if the node is gone or is not of this session
     */
    @Nullable
    public QueueSnapshot look(EphemeralNode mine, Deadline deadline) throws KeeperException, InterruptedException {
        Session session = mine.session();
        CompletableFuture<String> caughtUp = session.sync(path);
        CompletableFuture<Stat> exists = session.exists(mine.path());
        CompletableFuture<List<String>> children = session.children(path);
        CompletableFuture<Session.Data> base = session.data(ensemble.layout.tokenBase());
        deadline.await(caughtUp, base);
        try {
            Stat stat = deadline.await(exists);
            if (stat.getEphemeralOwner() != session.id()) {
                return null;
            }
            List<String> line = deadline.await(children);
            return view(mine.bornAt(stat.getCzxid()), line, base, deadline);
        } catch (NoNodeException gone) {
            return null;
        }
    }

    /** Makes a node, if the queue is there; {@link NoNodeException} if not. */
    public CompletableFuture<EphemeralNode> enter(String name, byte[] data, Session session) {
        return session.createInLine(pathOf(name), data, ensemble.layout.acl())
                .thenApply(made ->
                        new EphemeralNode(made.path(), session, made.stat().getCzxid(), 0));
    }

    /** Waits until it is known what became of a request that makes a node, or that it will not be. */
    public static void settle(CompletableFuture<EphemeralNode> request, Deadline deadline)
            throws KeeperException, InterruptedException {
        try {
            deadline.await(request);
        } catch (NoNodeException | NodeExistsException refused) {
            // there is no node, then
        }
    }

    /** Makes a queue and a node, both or neither, so that no queue is ever left that had no node: it would stay. */
    public CompletableFuture<EphemeralNode> begin(String name, byte[] data, Session session) {
        Op queue = Op.create(path, new byte[0], ensemble.layout.acl(), CreateMode.CONTAINER);
        Op node = Op.create(pathOf(name), data, ensemble.layout.acl(), CreateMode.EPHEMERAL_SEQUENTIAL);
        return session.multi(List.of(queue, node))
                .thenApply(made -> new EphemeralNode(((OpResult.CreateResult) made.get(1)).getPath(), session, 0, 0));
    }

    /** Why a holder's node is gone, as far as the queue tells: {@link Revocation} notes there whom it throws out. */
    public Loss whyGone(EphemeralNode holder, Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        try {
            Session.Data note = deadline.await(session.data(path));
            return RevocationNote.read(note.bytes())
                    .filter(revocation -> revocation.node().equals(holder.name()))
                    .map(revocation -> new Loss(LossCause.REVOKED, revocation.reason()))
                    .orElse(GONE);
        } catch (NoNodeException queueIsGone) {
            return GONE;
        }
    }

    /** Makes what must be there for {@link #begin}. */
    public void prepare(Session session, Deadline deadline) throws KeeperException, InterruptedException {
        ensemble.make(ensemble.layout.shard(lock.shard()), session, deadline);
    }

    /** What is seen from a node that was just made, by requests that were sent after it: not older than the node. */
    @Nullable
    public QueueSnapshot view(
            EphemeralNode mine, List<String> children, CompletableFuture<Session.Data> base, Deadline deadline)
            throws KeeperException, InterruptedException {
        List<String> line = QueueOrder.inOrder(children);
        if (!line.contains(mine.name())) {
            return null;
        }
        try {
            Session.Data data = deadline.await(base);
            return new QueueSnapshot(mine, line, TokenBase.of(data.bytes(), data.stat()));
        } catch (NoNodeException never) {
            return new QueueSnapshot(mine, line, ensemble.tokenBase(mine.session(), deadline));
        }
    }
}
