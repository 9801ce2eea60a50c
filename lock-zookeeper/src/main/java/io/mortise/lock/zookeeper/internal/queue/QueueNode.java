// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.client.ClientContext;
import io.mortise.lock.zookeeper.internal.node.NodeNames;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.session.Deadline;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.ZooKeeperFailures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.jspecify.annotations.Nullable;

/**
 * A claim's place in a queue: the life of its node. The node is made once; after a request that was not answered it is
 * looked for by its name, which begins as all of the claim's do. A node that turns up after the claim has left is
 * deleted. Used by one thread at a time, beside ZooKeeper's event thread and the housekeeping.
 */
public final class QueueNode {
    private final ClientContext ensemble;
    private final LockQueue queue;
    private final NodeNames names;
    private final NodeText text;

    private @Nullable EphemeralNode node;

    /** The request that makes the node, until it is answered. */
    private @Nullable CompletableFuture<EphemeralNode> making;

    /** Whether a request that makes the node ended without an answer. */
    private boolean doubt;

    /** Whether the node is left to be deleted in the background. */
    private boolean givenUp;

    /** Whether a request that deletes the node was sent and not answered. */
    private boolean leaving;

    private boolean left;

    public QueueNode(ClientContext ensemble, LockQueue queue, NodeNames names, NodeText text) {
        this.ensemble = ensemble;
        this.queue = queue;
        this.names = names;
        this.text = text;
    }

    public LockQueue queue() {
        return queue;
    }

    public NodeText text() {
        return text;
    }

    /** The node, if one is known. */
    public synchronized @Nullable EphemeralNode node() {
        return node;
    }

    /** The node's data was changed by this claim. */
    public synchronized void written(int version) {
        if (node != null) {
            node = node.written(version);
        }
    }

    /** Whether a request that makes the node is on its way. */
    public synchronized boolean isBeingMade() {
        return making != null;
    }

    /** Whether nothing was asked for, or everything was given back. */
    public synchronized boolean isEmpty() {
        return node == null && making == null && !doubt;
    }

    /** Gives the node up: it is deleted in the background, and never stood on again. */
    public synchronized void giveUp() {
        if (node != null) {
            givenUp = true;
            ensemble.orphans.delete(node.path());
        }
    }

    /**
     * Looks from this place, which is taken if it is not yet.
     *
     * @param waits false to take no place behind others
     * @return null if others are before and this does not wait
     */
    @Nullable
    public QueueSnapshot stand(Session session, Deadline deadline, boolean waits)
            throws KeeperException, InterruptedException {
        while (true) {
            EphemeralNode mine = find(session, deadline);
            QueueSnapshot view = mine == null ? null : queue.look(mine, deadline);
            if (view == null) {
                forget();
                if (!waits && !queue.line(session, deadline).isEmpty()) {
                    return null;
                }
                view = enter(session, deadline);
            }
            if (view != null) {
                stoodOn(view.mine());
                return view;
            }
        }
    }

    /**
     * Leaves: afterwards there is no node.
     *
     * @param forGood whether none will come either
     * @return true if there was one until now
     */
    public boolean leave(Session session, Deadline deadline, boolean forGood)
            throws KeeperException, InterruptedException {
        CompletableFuture<EphemeralNode> request;
        synchronized (this) {
            left |= forGood;
            request = making;
        }
        if (request != null) {
            LockQueue.settle(request, deadline);
        }
        EphemeralNode mine = node();
        if (mine == null && isInDoubt()) {
            mine = search(session, deadline);
        }
        return mine != null && delete(mine, session, deadline);
    }

    /** Leaves in the background what {@link #leave} could not leave in time. */
    public void abandon() {
        synchronized (this) {
            left = true;
        }
        giveUp();
        if (isInDoubt()) {
            ensemble.orphans.search(queue.path(), names.prefix());
        }
    }

    private boolean delete(EphemeralNode mine, Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        boolean again;
        synchronized (this) {
            again = leaving;
            leaving = true;
        }
        boolean was;
        try {
            deadline.await(session.delete(mine.path()));
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

    private synchronized void stoodOn(EphemeralNode mine) {
        node = mine;
        leaving = false;
    }

    private @Nullable QueueSnapshot enter(Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        CompletableFuture<EphemeralNode> made = follow(queue.enter(names.next(), text.bytes(), session));
        CompletableFuture<List<String>> children = session.children(queue.path());
        CompletableFuture<Session.Data> base = session.data(ensemble.layout.tokenBase());
        try {
            EphemeralNode mine = deadline.await(made, base);
            return queue.view(mine, deadline.await(children), base, deadline);
        } catch (NoNodeException noQueue) {
            return begin(session, deadline);
        }
    }

    /** The first claim of a name for some time makes the queue, too. */
    private @Nullable QueueSnapshot begin(Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        try {
            EphemeralNode mine = deadline.await(follow(queue.begin(names.next(), text.bytes(), session)));
            return queue.look(mine, deadline);
        } catch (NodeExistsException otherWasFaster) {
            return null;
        } catch (NoNodeException firstOfTheShard) {
            queue.prepare(session, deadline);
            return null;
        }
    }

    /** Remembers a request that makes the node until it is answered, and the node then. */
    private CompletableFuture<EphemeralNode> follow(CompletableFuture<EphemeralNode> request) {
        CompletableFuture<EphemeralNode> followed;
        synchronized (this) {
            followed = request.whenComplete(this::made);
            making = followed.isDone() ? null : followed;
        }
        return followed;
    }

    private void made(@Nullable EphemeralNode made, @Nullable Throwable failure) {
        boolean tooLate;
        synchronized (this) {
            making = null;
            node = made;
            doubt |= failure != null && ZooKeeperFailures.isUnanswered(failure);
            tooLate = left;
        }
        if (tooLate) {
            abandon();
        }
    }

    /** The node of this session, if there is one. */
    private @Nullable EphemeralNode find(Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        CompletableFuture<EphemeralNode> request;
        synchronized (this) {
            request = making;
        }
        if (request != null) {
            LockQueue.settle(request, deadline);
        }
        synchronized (this) {
            if (node != null && node.session() == session && !givenUp) {
                return node;
            }
        }
        giveUp();
        forget();
        return isInDoubt() ? search(session, deadline) : null;
    }

    private @Nullable EphemeralNode search(Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        EphemeralNode found = queue.find(names.prefix(), session, deadline);
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
