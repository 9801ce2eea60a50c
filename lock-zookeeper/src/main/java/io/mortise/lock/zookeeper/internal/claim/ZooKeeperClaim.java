// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import io.mortise.lock.Loss;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.zookeeper.internal.node.NodeNames;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.queue.LockQueue;
import io.mortise.lock.zookeeper.internal.queue.PredecessorWatch;
import io.mortise.lock.zookeeper.internal.queue.QueueNode;
import io.mortise.lock.zookeeper.internal.queue.QueueSnapshot;
import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import io.mortise.lock.zookeeper.internal.token.FencedGrant;
import io.mortise.lock.zookeeper.internal.token.FencingTokens;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;

/**
 * Implements a claim by a node in the queue of its lock. The claim holds the lock while its node is first and its
 * session is certainly alive.
 */
public final class ZooKeeperClaim implements Claim {
    private final ClaimRequest request;
    private final CuratorSessions sessions;
    private final FencingTokens tokens;
    private final PredecessorWatch predecessorWatch;
    private final QueueNode node;
    private final ClaimState state;

    public ZooKeeperClaim(
            ClaimRequest request,
            CuratorSessions sessions,
            LockQueue queue,
            FencingTokens tokens,
            PredecessorWatch predecessorWatch,
            OpenClaims claims) {
        this.request = request;
        this.sessions = sessions;
        this.tokens = tokens;
        this.predecessorWatch = predecessorWatch;
        this.node = new QueueNode(queue, new NodeNames(request.owner()), NodeText.of(request));
        this.state = new ClaimState(node, request.lock(), claims);
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return sessions.callInterruptibly(atMost, this::attempt);
    }

    private boolean attempt(SessionCall call) throws KeeperException, InterruptedException {
        call.session().clock().checkLease(request.lease());
        if (state.isGranted()
                && ClaimRenewal.renew(List.of(new ClaimRenewal.Wish(state, request.lease())), call)
                        .get(0)) {
            return true;
        }
        boolean hope = predecessorWatch.hasFired();
        while (state.extend(call.asked(), request.lease())) {
            QueueSnapshot queue;
            try {
                queue = node.enter(call, request.waits(), hope);
            } catch (BadVersionException changed) {
                heedChange(call);
                continue;
            }
            if (queue == null) {
                return false;
            }
            Optional<String> predecessor = queue.predecessor();
            if (predecessor.isEmpty()) {
                if (queue.text().isPresent() && grant(queue.mine(), queue.text().get(), call)) {
                    return true;
                }
            } else if (!request.waits()) {
                node.leave(call, false);
                return false;
            } else if (predecessorWatch.watch(predecessor.get(), call)) {
                return false;
            }
            hope = true;
        }
        return false;
    }

    /** Takes the lock, whose queue this claim's node is first in; false if something has changed: look again. */
    private boolean grant(EphemeralNode mine, NodeText text, SessionCall call)
            throws KeeperException, InterruptedException {
        try {
            FencedGrant grant = tokens.grant(mine, tokens.base(call), request, text, call);
            node.written(grant.node().version());
            grant.node().confirmSession(request.lease().toNanos(), call);
            return state.grant(grant, call.asked(), request.lease());
        } catch (NoNodeException gone) {
            return false;
        } catch (BadVersionException changed) {
            heedChange(call);
            return false;
        }
    }

    /** Somebody wrote into the node: that the claim is revoked, or a request of its own did that was not answered. */
    private void heedChange(SessionCall call) throws KeeperException, InterruptedException {
        EphemeralNode mine = node.node();
        if (mine == null) {
            return;
        }
        try {
            state.heed(call.await(call.session().data(mine.path())));
        } catch (NoNodeException gone) {
            // the next look finds out
        }
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return renewAll(List.of(new Renewal(this, lease)), sessions, atMost).get(0) == Answer.YES;
    }

    /** Renews claims of one client together; throws {@link BackendException} if the answers are not known. */
    public static List<Answer> renewAll(List<Renewal> renewals, CuratorSessions sessions, Duration atMost) {
        List<ClaimRenewal.Wish> wishes = renewals.stream()
                .map(renewal -> new ClaimRenewal.Wish(((ZooKeeperClaim) renewal.claim()).state, renewal.lease()))
                .toList();
        return ClaimRenewal.renew(wishes, sessions, atMost).stream()
                .map(holds -> holds ? Answer.YES : Answer.NO)
                .toList();
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return state.holdsUntilLeaseEnds();
    }

    @Override
    public boolean release(Duration atMost) {
        boolean held = state.release();
        predecessorWatch.stop();
        if (node.isEmpty()) {
            return false;
        }
        try {
            EphemeralNode mine = node.node();
            return sessions.callUninterruptibly(atMost, call -> {
                boolean was = node.leave(call, true);
                if (held && !was && mine != null) {
                    state.lose(node.queue().whyGone(mine, call));
                }
                return held && was;
            });
        } catch (RuntimeException unanswered) {
            node.abandon();
            throw unanswered;
        }
    }

    @Override
    public long fencingToken() {
        return state.fencingToken();
    }

    @Override
    public Duration leaseSpent() {
        return Duration.ofNanos(state.spent());
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        return sessions.callUninterruptibly(atMost, call -> {
            EphemeralNode mine = state.held(call.session());
            return mine != null && tokens.raise(mine, token, call);
        });
    }

    @Override
    public void whenLost(Consumer<Loss> listener) {
        state.whenLost(listener);
    }

    @Override
    public Loss loss() {
        return state.loss();
    }
}
