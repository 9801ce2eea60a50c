// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import io.mortise.lock.zookeeper.internal.client.ClientContext;
import io.mortise.lock.zookeeper.internal.session.Deadline;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Renews: asks whether all nodes are still there and unchanged, in one request that a majority agrees on. That alone shows
 * that this client's server follows the leader and that no other leader rules: a server that was cut off goes on
 * answering reads, and a deposed leader goes on answering {@code sync}. Stateless.
 */
public final class ClaimRenewal {
    private final ClientContext ensemble;

    public ClaimRenewal(ClientContext ensemble) {
        this.ensemble = ensemble;
    }

    /**
     * Renews claims.
     *
     * @return for each, whether it holds for a lease from the deadline's start
     * @throws io.mortise.lock.spi.BackendException if that is not known
     */
    public List<Boolean> renew(List<ZooKeeperClaim> claims, Deadline calm) {
        ensemble.ensureOpen();
        Session now = ensemble.connection.sessionNow();
        if (claims.stream().allMatch(claim -> claim.held(now) == null)) {
            return claims.stream().map(claim -> false).toList();
        }
        return ensemble.callCalmly(calm, session -> renew(claims, session, calm));
    }

    /** Renews claims in a session; those of earlier sessions have lost. */
    public List<Boolean> renew(List<ZooKeeperClaim> claims, Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        List<@Nullable EphemeralNode> nodes = new ArrayList<>();
        List<Op> checks = new ArrayList<>();
        for (ZooKeeperClaim claim : claims) {
            EphemeralNode node = claim.held(session);
            nodes.add(node);
            if (node != null) {
                checks.add(Op.check(node.path(), node.version()));
            }
        }
        boolean unchanged = checks.isEmpty() || areUnchanged(checks, session, deadline);
        List<CompletableFuture<Stat>> stats = new ArrayList<>();
        for (EphemeralNode node : nodes) {
            stats.add(node == null || unchanged ? new CompletableFuture<>() : session.exists(node.path()));
        }
        List<Boolean> answers = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            ZooKeeperClaim claim = claims.get(i);
            EphemeralNode node = nodes.get(i);
            answers.add(node != null
                    && (unchanged || isStill(claim, node, stats.get(i), deadline))
                    && claim.tenure().renewed(session, deadline.start()));
        }
        return answers;
    }

    private static boolean areUnchanged(List<Op> checks, Session session, Deadline deadline)
            throws KeeperException, InterruptedException {
        try {
            deadline.await(session.multi(checks));
            return true;
        } catch (NoNodeException | BadVersionException notAll) {
            return false;
        }
    }

    private static boolean isStill(
            ZooKeeperClaim claim, EphemeralNode node, CompletableFuture<Stat> stat, Deadline deadline)
            throws KeeperException, InterruptedException {
        try {
            return deadline.await(stat).getVersion() == node.version()
                    || claim.read(deadline.await(node.session().data(node.path())));
        } catch (NoNodeException gone) {
            claim.tenure().lose(claim.queue().whyGone(node, node.session(), deadline));
            return false;
        }
    }
}
