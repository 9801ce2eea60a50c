// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.node.QueueOrder;
import io.mortise.lock.zookeeper.internal.node.RevocationNote;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import io.mortise.lock.zookeeper.internal.token.FencingTokens;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads the queue of one lock in ZooKeeper and creates nodes in it. Requests of one method are sent together.
 * Stateless.
 */
public final class LockQueue {
    private static final Loss GONE = new Loss(LossCause.EVICTED_OR_DELETED, "the node of this lock is gone");

    private final NodePaths paths;
    private final FencingTokens tokens;
    private final PendingDeletes deletes;
    private final String path;

    public LockQueue(NodePaths paths, FencingTokens tokens, PendingDeletes deletes, String lock) {
        this.paths = paths;
        this.tokens = tokens;
        this.deletes = deletes;
        this.path = paths.queue(lock);
    }

    public String path() {
        return path;
    }

    /** The names of all nodes of a queue in order, as the leader knows them. */
    public static List<String> nodesInOrder(String queue, SessionCall call)
            throws KeeperException, InterruptedException {
        CompletableFuture<String> caughtUp = call.session().sync(queue);
        CompletableFuture<List<String>> children = call.session().children(queue);
        call.await(caughtUp, children);
        try {
            return QueueOrder.inOrder(call.await(children));
        } catch (NoNodeException nobody) {
            return List.of();
        }
    }

    boolean isEmpty(SessionCall call) throws KeeperException, InterruptedException {
        return nodesInOrder(path, call).isEmpty();
    }

    /** A claim's node of this session, or null if there is none; all others of the claim are deleted. */
    @Nullable
    EphemeralNode find(String prefix, SessionCall call) throws KeeperException, InterruptedException {
        Session session = call.session();
        EphemeralNode found = null;
        for (String name : nodesInOrder(path, call)) {
            Stat stat = name.startsWith(prefix) ? stat(pathOf(name), call) : null;
            if (stat != null && stat.getEphemeralOwner() == session.id() && found == null) {
                found = new EphemeralNode(pathOf(name), session, stat.getCzxid(), stat.getVersion());
            } else if (stat != null) {
                deletes.delete(pathOf(name));
            }
        }
        return found;
    }

    private static @Nullable Stat stat(String node, SessionCall call) throws KeeperException, InterruptedException {
        try {
            return call.await(call.session().exists(node));
        } catch (NoNodeException gone) {
            return null;
        }
    }

    /**
     * The queue as the leader knows it, seen from a node, or null if the node is gone or is not of this session. The last
     * step before a grant.
     */
    @Nullable
    QueueSnapshot snapshot(EphemeralNode mine, SessionCall call) throws KeeperException, InterruptedException {
        Session session = mine.session();
        CompletableFuture<String> caughtUp = session.sync(path);
        CompletableFuture<Stat> exists = session.exists(mine.path());
        CompletableFuture<List<String>> children = session.children(path);
        CompletableFuture<Session.Data> base = tokens.requestBase(session);
        call.await(caughtUp, base);
        try {
            Stat stat = call.await(exists);
            if (stat.getEphemeralOwner() != session.id()) {
                return null;
            }
            return snapshot(mine.withCzxid(stat.getCzxid()), children, base, call);
        } catch (NoNodeException gone) {
            return null;
        }
    }

    /**
     * The queue by requests that are sent after the one that makes a node, and so not older than the node; null if the
     * node is gone, {@link NoNodeException} if the queue is not there.
     */
    @Nullable
    QueueSnapshot snapshotAfter(CompletableFuture<EphemeralNode> making, SessionCall call)
            throws KeeperException, InterruptedException {
        CompletableFuture<List<String>> children = call.session().children(path);
        CompletableFuture<Session.Data> base = tokens.requestBase(call.session());
        return snapshot(call.await(making, base), children, base, call);
    }

    private @Nullable QueueSnapshot snapshot(
            EphemeralNode mine,
            CompletableFuture<List<String>> children,
            CompletableFuture<Session.Data> base,
            SessionCall call)
            throws KeeperException, InterruptedException {
        List<String> inOrder = QueueOrder.inOrder(call.await(children));
        if (!inOrder.contains(mine.name())) {
            return null;
        }
        Optional<String> predecessor = QueueOrder.before(inOrder, mine.name()).map(this::pathOf);
        return new QueueSnapshot(mine, predecessor, tokens.base(base, call));
    }

    /** Makes a node, if the queue is there; {@link NoNodeException} if not. */
    CompletableFuture<EphemeralNode> requestNode(String name, byte[] data, Session session) {
        return session.create(pathOf(name), data, paths.acl(), CreateMode.EPHEMERAL_SEQUENTIAL)
                .thenApply(made ->
                        new EphemeralNode(made.path(), session, made.stat().getCzxid(), 0));
    }

    /**
     * Makes the queue and a node, both or neither, so that no queue is ever left that had no node: it would stay.
     * {@link KeeperException.NodeExistsException} if the queue is there, {@link NoNodeException} if its shard is not.
     */
    CompletableFuture<EphemeralNode> requestQueueAndNode(String name, byte[] data, Session session) {
        Op queue = Op.create(path, new byte[0], paths.acl(), CreateMode.CONTAINER);
        Op node = Op.create(pathOf(name), data, paths.acl(), CreateMode.EPHEMERAL_SEQUENTIAL);
        return session.multi(List.of(queue, node))
                .thenApply(made -> new EphemeralNode(((OpResult.CreateResult) made.get(1)).getPath(), session, 0, 0));
    }

    void makeShard(SessionCall call) throws KeeperException, InterruptedException {
        String shard = path.substring(0, path.lastIndexOf('/'));
        call.await(call.session().createWithAncestors(shard, paths.acl()));
    }

    /** Deletes a node in the background. */
    void deleteLater(EphemeralNode node) {
        deletes.delete(node.path());
    }

    /** Deletes in the background what a claim's unanswered request may have made. */
    void deleteLater(String prefix) {
        deletes.search(path, prefix);
    }

    /** Why a holder's node is gone, as far as the queue tells: a revocation at once leaves a note there. */
    public Loss whyGone(EphemeralNode holder, SessionCall call) throws KeeperException, InterruptedException {
        try {
            Session.Data note = call.await(call.session().data(path));
            return RevocationNote.read(note.bytes())
                    .filter(revocation -> revocation.node().equals(holder.name()))
                    .map(revocation -> new Loss(LossCause.REVOKED, revocation.reason()))
                    .orElse(GONE);
        } catch (NoNodeException queueIsGone) {
            return GONE;
        }
    }

    private String pathOf(String name) {
        return path + "/" + name;
    }
}
