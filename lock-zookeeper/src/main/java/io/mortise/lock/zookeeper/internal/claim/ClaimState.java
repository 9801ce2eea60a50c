// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.support.Moment;
import io.mortise.lock.spi.support.RememberedLoss;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.queue.LockQueue;
import io.mortise.lock.zookeeper.internal.queue.QueueNode;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.token.FencedGrant;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks whether a claim holds its lock, and until when. Ends what this client must end itself: a lease that was not
 * renewed, and the node of a waiter that has not looked for a lease. Thread-safe.
 */
final class ClaimState {
    private static final Loss SESSION_ENDED =
            new Loss(LossCause.SESSION_LOST, "the session with ZooKeeper ended, and the lock with it");

    private final QueueNode node;
    private final String lock;
    private final OpenClaims claims;
    private final RememberedLoss loss = new RememberedLoss();
    private boolean granted;
    private boolean released;
    private boolean revoked;
    private long lease;
    private long endsAt;
    private long spent;
    private @Nullable FencedGrant grant;
    private boolean open;
    private @Nullable Consumer<Loss> listener;

    ClaimState(QueueNode node, String lock, OpenClaims claims) {
        this.node = node;
        this.lock = lock;
        this.claims = claims;
    }

    LockQueue queue() {
        return node.queue();
    }

    /** Begins, or goes on, for a lease from a moment; false if the claim was released or revoked. */
    synchronized boolean extend(Moment from, Duration length) {
        if (released || revoked) {
            return false;
        }
        lease = length.toNanos();
        endsAt = from.nanos() + lease;
        if (!open) {
            open = true;
            claims.opened(this);
        }
        claims.lookBy(endsAt);
        return true;
    }

    /** The claim holds, by an answer to a request that was sent after a moment; false if it was released meanwhile. */
    synchronized boolean grant(FencedGrant given, Moment asked, Duration length) {
        if (released) {
            return false;
        }
        granted = true;
        grant = given;
        claims.granted(queue().path(), given);
        return renewed(given.node().session(), asked, length);
    }

    /**
     * The claim still holds, by an answer to a request that was sent after a moment; false if it has ended meanwhile, or was
     * revoked. What the session may not live for counts as spent, so that no lease is longer than the session, however long it
     * was to be, and however long the host was suspended before.
     */
    synchronized boolean renewed(Session session, Moment asked, Duration length) {
        spent = Math.max(0, length.toNanos() - session.clock().left(asked));
        return granted && extend(asked, length);
    }

    /** Whether the claim was asked to let go, and holds until its lease ends: it does not end before the session. */
    synchronized boolean holdsUntilLeaseEnds() {
        return isGranted() && revoked && endsAt - System.nanoTime() > 0;
    }

    synchronized boolean isGranted() {
        return granted && !released;
    }

    /** The node by which the claim holds in a session, or null if it does not hold. */
    synchronized @Nullable EphemeralNode held(@Nullable Session session) {
        EphemeralNode mine = isGranted() ? node.node() : null;
        if (mine != null && (mine.session() != session || session.isOver())) {
            lose(SESSION_ENDED);
            return null;
        }
        return mine;
    }

    /** Takes whom to tell if the session ends while the claim holds; at once if it has ended. */
    void whenLost(Consumer<Loss> told) {
        EphemeralNode mine;
        synchronized (this) {
            listener = told;
            mine = isGranted() ? node.node() : null;
        }
        if (mine != null && mine.session().isOver()) {
            sessionEnded(mine.session());
        }
    }

    /** The claim has lost what it held in that session. */
    void sessionEnded(Session ended) {
        Consumer<Loss> told;
        synchronized (this) {
            EphemeralNode mine = isGranted() ? node.node() : null;
            if (mine == null || mine.session() != ended) {
                return;
            }
            lose(SESSION_ENDED);
            told = listener;
        }
        // Not under the monitor, which the holder takes under its own.
        if (told != null) {
            told.accept(SESSION_ENDED);
        }
    }

    /** How much of the lease was over before the last confirmation was asked for, in nanoseconds. */
    synchronized long spent() {
        return spent;
    }

    /** The first token of the last grant, or 0. */
    synchronized long fencingToken() {
        return grant == null ? 0 : grant.first();
    }

    Loss loss() {
        return loss.get();
    }

    /** Heeds what somebody has written into the claim's node; false if the claim was revoked, and is not renewed any more. */
    synchronized boolean heed(Session.Data data) {
        Optional<String> reason = NodeText.read(lock, data.bytes()).revoked();
        revoked |= reason.isPresent();
        reason.ifPresent(text -> loss.remember(LossCause.REVOKED, text));
        node.written(data.stat().getVersion());
        return !revoked;
    }

    /** The claim does not hold any more, for a reason. */
    synchronized void lose(Loss why) {
        granted = false;
        loss.remember(why.cause(), why.detail());
        claims.lost(queue().path(), grant);
    }

    /** The claim is being released: nothing is left to end. Answers whether it held. */
    synchronized boolean release() {
        released = true;
        close();
        claims.lost(queue().path(), grant);
        return granted;
    }

    /** Ends whatever there is, as when the client closes. In one step: what is asked for after it makes a node of its own. */
    synchronized void end() {
        if (granted) {
            lose(revoked ? loss() : new Loss(LossCause.EXPIRED, "the lease ended before it was renewed"));
        }
        close();
        node.giveUp();
    }

    private void close() {
        open = false;
        claims.closed(this);
    }

    /** Ends the claim if its lease has ended. Answers in how many nanoseconds to look again, or 0 if there is nothing left to end. */
    synchronized long endIfDue() {
        if (!open) {
            return 0;
        }
        long left = endsAt - System.nanoTime();
        if (left > 0) {
            return left;
        }
        if (node.isBeingMade()) {
            return Math.max(1, lease / 4);
        }
        end();
        return 0;
    }
}
