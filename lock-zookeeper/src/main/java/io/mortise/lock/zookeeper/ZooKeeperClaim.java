// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/** A claim with a place in the queue of its lock. It holds when it is first and its session is alive for certain. */
final class ZooKeeperClaim implements Claim {
    private final Ensemble ensemble;
    private final ClaimRequest request;
    private final Runnable nudge;
    private final Place place;
    private final Tenure tenure;
    private @Nullable String watched;
    private boolean revoked;

    @SuppressWarnings("UnnecessaryMethodReference") // two claims with one nudge are two to be nudged
    ZooKeeperClaim(Ensemble ensemble, ClaimRequest request, Runnable nudge) {
        this.ensemble = ensemble;
        this.request = request;
        this.nudge = nudge::run;
        Queue queue = new Queue(ensemble, request.lock());
        this.place = new Place(ensemble, queue, new NodeNames(request.owner()), NodeText.of(request));
        this.tenure = new Tenure(ensemble, place, request.lease().toNanos());
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
        Ensemble.checkLease(request.lease(), session);
        if (tenure.isGranted()
                && ensemble.renewal.renew(List.of(this), session, deadline).get(0)) {
            return true;
        }
        while (!revoked && tenure.extend(deadline.start())) {
            View view = place.stand(session, deadline, request.waits());
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
            Node mine = place.node();
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
            Node mine = held(session);
            return mine != null && ensemble.tokens.raise(mine, token, deadline);
        });
    }

    @Override
    public Loss loss() {
        return tenure.loss();
    }

    /** False if something has changed: look again. */
    private boolean grant(View view, Deadline deadline) throws KeeperException, InterruptedException {
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
    private void makeSure(Node mine, Deadline deadline) throws KeeperException, InterruptedException {
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
    private void heedRevocation(Node mine, Deadline deadline) throws KeeperException, InterruptedException {
        try {
            read(deadline.await(mine.session().data(mine.path())));
        } catch (NoNodeException gone) {
            // the next look finds out
        }
    }

    Tenure tenure() {
        return tenure;
    }

    Queue queue() {
        return place.queue();
    }

    /** Reads the claim's node after a change; false if it was revoked. */
    boolean read(Session.Data data) {
        Optional<String> reason = NodeText.read(request.lock(), data.bytes()).revoked();
        revoked |= reason.isPresent();
        reason.ifPresent(text -> tenure.lose(new Loss(LossCause.REVOKED, text)));
        place.written(data.stat().getVersion());
        return !revoked;
    }

    /** The node by which this claim holds in a session, or null if it does not hold. */
    @Nullable
    Node held(@Nullable Session session) {
        Node mine = tenure.isGranted() ? place.node() : null;
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
