// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.zookeeper.internal.client.ClientContext;
import io.mortise.lock.zookeeper.internal.node.NodeNames;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.queue.LockQueue;
import io.mortise.lock.zookeeper.internal.queue.QueueNode;
import io.mortise.lock.zookeeper.internal.queue.QueueSnapshot;
import io.mortise.lock.zookeeper.internal.session.Deadline;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.SessionClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/** A claim with a place in the queue of its lock. It holds when it is first and its session is alive for certain. */
public final class ZooKeeperClaim implements Claim {
    private final ClientContext ensemble;
    private final ClaimRequest request;
    private final Runnable nudge;
    private final QueueNode place;
    private final ClaimState tenure;
    private @Nullable String watched;
    private boolean revoked;

    @SuppressWarnings("UnnecessaryMethodReference") // two claims with one nudge are two to be nudged
    public ZooKeeperClaim(ClientContext ensemble, ClaimRequest request, Runnable nudge) {
        this.ensemble = ensemble;
        this.request = request;
        this.nudge = nudge::run;
        LockQueue queue = new LockQueue(ensemble, request.lock());
        this.place = new QueueNode(ensemble, queue, new NodeNames(request.owner()), NodeText.of(request));
        this.tenure = new ClaimState(ensemble, place, request.lease().toNanos());
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Deadline deadline = Deadline.of(atMost);
        return ensemble.call(deadline, session -> attempt(session, deadline));
    }

    private boolean attempt(Session session, Deadline deadline) throws KeeperException, InterruptedException {
        ClientContext.checkLease(request.lease(), session);
        if (tenure.isGranted()
                && ensemble.renewal.renew(List.of(this), session, deadline).get(0)) {
            return true;
        }
        while (!revoked && tenure.extend(deadline.start())) {
            QueueSnapshot view = place.stand(session, deadline, request.waits());
            if (view == null) {
                return false;
            }
            Optional<String> before = view.before();
            if (before.isEmpty()) {
                if (grant(view, deadline)) {
                    return true;
                }
            } else if (!request.waits()) {
                place.leave(session, deadline, false);
                return false;
            } else if (watch(before.get(), session, deadline)) {
                return false;
            }
        }
        return false;
    }

    @Override
    public boolean renew(Duration atMost) {
        return ensemble.renewal.renew(List.of(this), Deadline.calm(atMost)).get(0);
    }

    @Override
    public boolean release(Duration atMost) {
        Deadline deadline = Deadline.calm(atMost);
        boolean held = tenure.release();
        watchNobody();
        if (place.isEmpty()) {
            return false;
        }
        try {
            EphemeralNode mine = place.node();
            return ensemble.callCalmly(deadline, session -> {
                boolean was = place.leave(session, deadline, true);
                if (held && !was && mine != null) {
                    tenure.lose(place.queue().whyGone(mine, session, deadline));
                }
                return held && was;
            });
        } catch (RuntimeException unanswered) {
            place.abandon();
            throw unanswered;
        }
    }

    @Override
    public long fencingToken() {
        return tenure.fencingToken();
    }

    @Override
    public Duration leaseSpent() {
        return Duration.ofNanos(tenure.spent());
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        Deadline deadline = Deadline.calm(atMost);
        return ensemble.callCalmly(deadline, session -> {
            EphemeralNode mine = held(session);
            return mine != null && ensemble.tokens.raise(mine, token, deadline);
        });
    }

    @Override
    public Loss loss() {
        return tenure.loss();
    }

    /** False if something has changed: look again. */
    private boolean grant(QueueSnapshot view, Deadline deadline) throws KeeperException, InterruptedException {
        try {
            long token = ensemble.tokens.grant(view, request, place, deadline);
            makeSure(view.mine(), deadline);
            return tenure.grant(view.mine(), token, request.tokenCount(), deadline.start());
        } catch (NoNodeException gone) {
            return false;
        } catch (BadVersionException changed) {
            heedRevocation(view.mine(), deadline);
            return false;
        }
    }

    /** A session that is new, or was out of touch, may have to be confirmed before it can be relied on. */
    private void makeSure(EphemeralNode mine, Deadline deadline) throws KeeperException, InterruptedException {
        SessionClock clock = mine.session().clock();
        long lease = request.lease().toNanos();
        while (clock.left(deadline.start()) < lease - lease / 3) {
            long wait = clock.untilConfirmable(System.nanoTime());
            if (wait >= deadline.leftNanos()) {
                break;
            }
            deadline.pause(wait);
            deadline.await(mine.session().sync(mine.path()));
            deadline.await(mine.session().multi(List.of(Op.check(mine.path(), -1))));
        }
        if (clock.left(deadline.start()) <= 0) {
            throw new BackendException(
                    "the session with ZooKeeper is too young to be relied on; it will be in "
                            + clock.untilConfirmable(System.nanoTime()) / 1_000_000 + " ms",
                    null);
        }
    }

    /** Waits for a nudge; false if there is nobody to wait for. */
    private boolean watch(String before, Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        if (before.equals(watched) && ensemble.watches.has(before, nudge)) {
            return true;
        }
        watchNobody();
        watched = before;
        ensemble.watches.add(before, nudge);
        boolean watching = false;
        try {
            deadline.await(session.data(before, ensemble.watches));
            watching = true;
        } catch (NoNodeException gone) {
            // and perhaps it is this claim's turn
        } finally {
            if (!watching) {
                watchNobody();
            }
        }
        return watching;
    }

    /** What somebody has written into the node: that the claim is revoked, or a request of its own that was not answered. */
    private void heedRevocation(EphemeralNode mine, Deadline deadline) throws KeeperException, InterruptedException {
        try {
            read(deadline.await(mine.session().data(mine.path())));
        } catch (NoNodeException gone) {
            // the next look finds out
        }
    }

    public ClaimState tenure() {
        return tenure;
    }

    public LockQueue queue() {
        return place.queue();
    }

    /** Reads the claim's node after a change; false if it was revoked. */
    public boolean read(Session.Data data) {
        Optional<String> reason = NodeText.read(request.lock(), data.bytes()).revoked();
        revoked |= reason.isPresent();
        reason.ifPresent(text -> tenure.lose(new Loss(LossCause.REVOKED, text)));
        place.written(data.stat().getVersion());
        return !revoked;
    }

    /** The node by which this claim holds in a session, or null if it does not hold. */
    @Nullable
    public EphemeralNode held(@Nullable Session session) {
        EphemeralNode mine = tenure.isGranted() ? place.node() : null;
        if (mine != null && (mine.session() != session || session.isOver())) {
            tenure.lose(new Loss(LossCause.SESSION_LOST, "the session with ZooKeeper ended, and the lock with it"));
            return null;
        }
        return mine;
    }

    private void watchNobody() {
        if (watched != null) {
            ensemble.watches.remove(watched, nudge);
            watched = null;
        }
    }
}
