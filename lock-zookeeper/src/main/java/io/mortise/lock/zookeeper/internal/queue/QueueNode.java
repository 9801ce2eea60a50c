// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.node.NodeNames;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import io.mortise.lock.zookeeper.internal.session.ZooKeeperFailures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.KeeperException.NotEmptyException;
import org.jspecify.annotations.Nullable;

/**
 * The node of one claim in the queue of its lock: creates it, finds it again and deletes it. It is made once; after a
 * request that was not answered it is looked for by its name, which begins as all names of the claim do. A node that
 * turns up after the claim has left is deleted. Used by one thread at a time, beside ZooKeeper's event thread and the
 * scheduler's.
 */
public final class QueueNode {
    private final LockQueue queue;
    private final NodeNames names;
    private final NodeText text;

    private @Nullable EphemeralNode node;

    /** When the last node was asked for. */
    private long madeAt;

    /** The request that makes the node, until it is answered. */
    private @Nullable CompletableFuture<EphemeralNode> making;

    /** Whether a request that makes the node ended without an answer. */
    private boolean doubt;

    /** Whether the node is left to be deleted in the background. */
    private boolean givenUp;

    /** Whether a request that deletes the node was sent and not answered. */
    private boolean leaving;

    private boolean left;

    public QueueNode(LockQueue queue, NodeNames names, NodeText text) {
        this.queue = queue;
        this.names = names;
        this.text = text;
    }

    public LockQueue queue() {
        return queue;
    }

    public synchronized @Nullable EphemeralNode node() {
        return node;
    }

    /** The node's data was changed by this claim. */
    public synchronized void written(int version) {
        if (node != null) {
            node = node.withVersion(version);
        }
    }

    /** How long ago the node was made, at most. */
    private synchronized Duration age() {
        return Duration.ofNanos(System.nanoTime() - madeAt);
    }

    public synchronized boolean isBeingMade() {
        return making != null;
    }

    /** Whether there is no node, and none can turn up. */
    public synchronized boolean isEmpty() {
        return node == null && making == null && !doubt;
    }

    /** Gives the node up: it is deleted in the background, and the claim never uses it again. */
    public synchronized void giveUp() {
        if (node != null) {
            givenUp = true;
            queue.deleteLater(node);
        }
    }

    /**
     * Enters the queue, unless the node is in it already, and looks at it. One that does not wait enters no queue that
     * others are in: null.
     *
     * @param hope whether the node, if it is there, may be the first by now
     * @throws KeeperException.BadVersionException if somebody has written into the node
     */
    @Nullable
    public QueueSnapshot enter(SessionCall call, boolean waits, boolean hope)
            throws KeeperException, InterruptedException {
        while (true) {
            EphemeralNode mine = find(call);
            QueueSnapshot snapshot = null;
            if (mine != null) {
                snapshot = hope ? queue.write(mine, text.withWaited(age()), call) : queue.look(mine, call);
            }
            if (snapshot == null) {
                forget();
                try {
                    snapshot = waits ? make(call) : makeAlone(call);
                } catch (NotEmptyException others) {
                    return null;
                }
            }
            if (snapshot != null) {
                entered(snapshot.mine());
                return snapshot;
            }
        }
    }

    /**
     * Leaves the queue: afterwards there is no node, and for good, none will be made either. Answers whether there was one
     * until now.
     */
    public boolean leave(SessionCall call, boolean forGood) throws KeeperException, InterruptedException {
        synchronized (this) {
            left |= forGood;
        }
        settle(call);
        EphemeralNode mine = node();
        if (mine == null && isInDoubt()) {
            mine = search(call);
        }
        return mine != null && delete(mine, call);
    }

    /** Leaves the queue in the background, after {@link #leave} did not in time. */
    public synchronized void abandon() {
        left = true;
        giveUp();
        if (doubt) {
            queue.deleteLater(names.prefix());
        }
    }

    private boolean delete(EphemeralNode mine, SessionCall call) throws KeeperException, InterruptedException {
        boolean again;
        synchronized (this) {
            again = leaving;
            leaving = true;
        }
        boolean was;
        try {
            call.await(call.session().delete(mine.path()));
            was = true;
        } catch (NoNodeException gone) {
            was = again;
        }
        forget();
        return was;
    }

    private synchronized void forget() {
        node = null;
        givenUp = false;
        leaving = false;
    }

    private synchronized void entered(EphemeralNode mine) {
        node = mine;
        leaving = false;
    }

    private @Nullable QueueSnapshot make(SessionCall call) throws KeeperException, InterruptedException {
        beginMaking();
        try {
            return queue.readBehind(follow(queue.requestNode(names.next(), text.bytes(), call.session())), text, call);
        } catch (NoNodeException noQueue) {
            return makeWithQueue(call);
        }
    }

    /** Throws {@link NotEmptyException} if other claims are in the queue. */
    private @Nullable QueueSnapshot makeAlone(SessionCall call) throws KeeperException, InterruptedException {
        beginMaking();
        CompletableFuture<EphemeralNode> alone =
                follow(queue.requestNodeInEmptyQueue(names.next(), text.bytes(), call.session()));
        CompletableFuture<List<String>> children = queue.requestChildren(call.session());
        try {
            return asFirst(call.await(alone, queue.requestBehind(children, call.session())));
        } catch (NoNodeException noQueue) {
            return makeWithQueue(call);
        } catch (NotEmptyException used) {
            if (LockQueue.hasClaims(children, call)) {
                throw new NotEmptyException(queue.path());
            }
            return make(call);
        }
    }

    /** The first claim of a name for some time makes the queue, too. */
    private @Nullable QueueSnapshot makeWithQueue(SessionCall call) throws KeeperException, InterruptedException {
        beginMaking();
        try {
            return asFirst(call.await(follow(queue.requestQueueAndNode(names.next(), text.bytes(), call.session()))));
        } catch (NodeExistsException otherWasFaster) {
            return null;
        } catch (NoNodeException firstOfTheShard) {
            queue.makeShard(call);
            return null;
        }
    }

    private synchronized void beginMaking() {
        madeAt = System.nanoTime();
    }

    /** A node in a queue that was made with it has none before it, and never will. */
    private QueueSnapshot asFirst(EphemeralNode mine) {
        return new QueueSnapshot(mine, Optional.empty(), Optional.of(text));
    }

    /** Remembers a request that makes the node until it is answered, and the node then. */
    private synchronized CompletableFuture<EphemeralNode> follow(CompletableFuture<EphemeralNode> request) {
        CompletableFuture<EphemeralNode> followed = request.whenComplete(this::made);
        making = followed.isDone() ? null : followed;
        return followed;
    }

    private synchronized void made(@Nullable EphemeralNode made, @Nullable Throwable failure) {
        making = null;
        node = made;
        doubt |= failure != null && ZooKeeperFailures.isUnanswered(failure);
        if (left) {
            abandon();
        }
    }

    /** Waits until it is known what became of a request that makes a node, or that it will not be known. */
    private void settle(SessionCall call) throws KeeperException, InterruptedException {
        CompletableFuture<EphemeralNode> request;
        synchronized (this) {
            request = making;
        }
        try {
            if (request != null) {
                call.await(request);
            }
        } catch (KeeperException failure) {
            if (ZooKeeperFailures.isUnanswered(failure)) {
                throw failure;
            }
            // there is no node, then
        }
    }

    /** The node of this session, if there is one. */
    private @Nullable EphemeralNode find(SessionCall call) throws KeeperException, InterruptedException {
        settle(call);
        synchronized (this) {
            if (node != null && node.session() == call.session() && !givenUp) {
                return node;
            }
        }
        giveUp();
        forget();
        return isInDoubt() ? search(call) : null;
    }

    private @Nullable EphemeralNode search(SessionCall call) throws KeeperException, InterruptedException {
        EphemeralNode found = queue.find(names.prefix(), call);
        synchronized (this) {
            doubt = false;
            node = found;
        }
        return found;
    }

    private synchronized boolean isInDoubt() {
        return doubt;
    }
}
