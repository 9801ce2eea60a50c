// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.node.QueueOrder;
import io.mortise.lock.zookeeper.internal.node.RevocationNotes;
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

    /** The queue as the leader knows it, seen from a node of this session, or null if the node is gone. Writes nothing. */
    @Nullable
    QueueSnapshot look(EphemeralNode mine, SessionCall call) throws KeeperException, InterruptedException {
        try {
            return seenFrom(mine, nodesInOrder(path, call), Optional.empty());
        } catch (NoNodeException gone) {
            return null;
        }
    }

    /**
     * The queue by a read that is sent behind a write into the node, and so not older than the write; null if the node is gone.
     * The last step before a grant.
     *
     * @param said what the node is to say
     * @throws KeeperException.BadVersionException if somebody else has written into the node
     */
    @Nullable
    QueueSnapshot write(EphemeralNode mine, NodeText said, SessionCall call)
            throws KeeperException, InterruptedException {
        Session session = call.session();
        NodeText text = tokens.baseNow(session)
                .filter(base -> !base.tells(mine.czxid()))
                .map(base -> said.withToken(base.token(mine.czxid())))
                .orElse(said);
        CompletableFuture<Stat> written = session.write(mine.path(), text.bytes(), mine.version());
        CompletableFuture<List<String>> children = session.children(path);
        CompletableFuture<?> last = tokens.requestBehind(children, session);
        try {
            int version = call.await(written, last).getVersion();
            return seenFrom(mine.withVersion(version), QueueOrder.inOrder(call.await(children)), Optional.of(text));
        } catch (NoNodeException gone) {
            return null;
        }
    }

    /**
     * The queue by a read that is sent behind the request that makes a node, and so not older than the node; null if the
     * node is gone, {@link NoNodeException} if the queue is not there.
     */
    @Nullable
    QueueSnapshot readBehind(CompletableFuture<EphemeralNode> making, NodeText text, SessionCall call)
            throws KeeperException, InterruptedException {
        CompletableFuture<List<String>> children = call.session().children(path);
        EphemeralNode mine = call.await(making, tokens.requestBehind(children, call.session()));
        return seenFrom(mine, QueueOrder.inOrder(call.await(children)), Optional.of(text));
    }

    private @Nullable QueueSnapshot seenFrom(EphemeralNode mine, List<String> inOrder, Optional<NodeText> text) {
        return inOrder.contains(mine.name())
                ? new QueueSnapshot(
                        mine, QueueOrder.before(inOrder, mine.name()).map(this::pathOf), text)
                : null;
    }

    /** Whether nodes of claims are in the queue, by an answer. */
    static boolean hasClaims(CompletableFuture<List<String>> children, SessionCall call)
            throws KeeperException, InterruptedException {
        try {
            return !QueueOrder.inOrder(call.await(children)).isEmpty();
        } catch (NoNodeException nobody) {
            return false;
        }
    }

    CompletableFuture<List<String>> requestChildren(Session session) {
        return session.children(path);
    }

    /** Asks for what a grant needs besides, behind the read of the queue; returns the last request. */
    CompletableFuture<?> requestBehind(CompletableFuture<List<String>> children, Session session) {
        return tokens.requestBehind(children, session);
    }

    /** Makes a node, if the queue is there; {@link NoNodeException} if not. */
    CompletableFuture<EphemeralNode> requestNode(String name, byte[] data, Session session) {
        return session.create(pathOf(name), data, paths.acl(), CreateMode.EPHEMERAL_SEQUENTIAL)
                .thenApply(made ->
                        new EphemeralNode(made.path(), session, made.stat().getCzxid(), 0));
    }

    /**
     * Makes the queue and a node, both or neither, so that no queue is ever left that had no node: it would stay. The node is the
     * first. {@link KeeperException.NodeExistsException} if the queue is there, {@link NoNodeException} if its shard is not.
     */
    CompletableFuture<EphemeralNode> requestQueueAndNode(String name, byte[] data, Session session) {
        return made(session.multi(List.of(makeQueue(), makeNode(name, data))), session);
    }

    /**
     * Makes a node if the queue is there and empty; the node is the first. A queue that has nodes cannot be deleted:
     * {@link KeeperException.NotEmptyException}. {@link NoNodeException} if it is not there.
     */
    CompletableFuture<EphemeralNode> requestNodeInEmptyQueue(String name, byte[] data, Session session) {
        Op ifEmpty = Op.delete(path, -1);
        return made(session.multi(List.of(ifEmpty, makeQueue(), makeNode(name, data))), session);
    }

    private Op makeQueue() {
        return Op.create(path, new byte[0], paths.acl(), CreateMode.CONTAINER);
    }

    private Op makeNode(String name, byte[] data) {
        return Op.create(pathOf(name), data, paths.acl(), CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    /** The last two of some operations made the queue and the node, by one transaction: they have one zxid. */
    private static CompletableFuture<EphemeralNode> made(CompletableFuture<List<OpResult>> results, Session session) {
        return results.thenApply(all -> {
            OpResult.CreateResult queue = (OpResult.CreateResult) all.get(all.size() - 2);
            OpResult.CreateResult node = (OpResult.CreateResult) all.get(all.size() - 1);
            return new EphemeralNode(node.getPath(), session, queue.getStat().getCzxid(), 0);
        });
    }

    void makeShard(SessionCall call) throws KeeperException, InterruptedException {
        call.await(call.session().createWithAncestors(NodePaths.shardOf(path), paths.acl()));
    }

    /** Deletes a node in the background. */
    void deleteLater(EphemeralNode node) {
        deletes.delete(node.path());
    }

    /** Deletes in the background what a claim's unanswered request may have made. */
    void deleteLater(String prefix) {
        deletes.search(path, prefix);
    }

    /** Why a holder's node is gone, as far as its shard tells: a revocation at once leaves a note there. */
    public Loss whyGone(EphemeralNode holder, SessionCall call) throws KeeperException, InterruptedException {
        try {
            Session.Data shard = call.await(call.session().data(NodePaths.shardOf(path)));
            return RevocationNotes.read(shard.bytes())
                    .reason(holder.name())
                    .map(reason -> new Loss(LossCause.REVOKED, reason))
                    .orElse(GONE);
        } catch (NoNodeException allIsGone) {
            return GONE;
        }
    }

    private String pathOf(String name) {
        return path + "/" + name;
    }
}
