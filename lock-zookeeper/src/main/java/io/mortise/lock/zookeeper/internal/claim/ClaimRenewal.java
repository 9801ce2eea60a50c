// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import java.time.Duration;
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
 * Renews claims: asks whether all their nodes are still there and unchanged, in one request that a majority agrees on. That
 * alone shows that this client's server follows the leader and that no other leader rules: a server that was cut off goes on
 * answering reads, and a deposed leader goes on answering {@code sync}.
 */
final class ClaimRenewal {
    private ClaimRenewal() {}

    /** A claim and how long its lease is to last. */
    record Wish(ClaimState claim, Duration lease) {}

    /** Renews claims in whatever session there is; answers for each whether it holds for its lease from when this was called. */
    static List<Boolean> renew(List<Wish> wishes, CuratorSessions sessions, Duration atMost) {
        sessions.ensureOpen();
        Session now = sessions.sessionNow();
        if (wishes.stream().allMatch(wish -> wish.claim.held(now) == null)) {
            return wishes.stream().map(wish -> false).toList();
        }
        return sessions.callUninterruptibly(atMost, call -> renew(wishes, call));
    }

    /** Renews claims in the session of a call; those of earlier sessions have lost. */
    static List<Boolean> renew(List<Wish> wishes, SessionCall call) throws KeeperException, InterruptedException {
        Session session = call.session();
        List<@Nullable EphemeralNode> nodes = new ArrayList<>();
        List<Op> checks = new ArrayList<>();
        for (Wish wish : wishes) {
            EphemeralNode node = wish.claim.held(session);
            nodes.add(node);
            if (node != null) {
                checks.add(Op.check(node.path(), node.version()));
            }
        }
        boolean unchanged = checks.isEmpty() || areUnchanged(checks, call);
        List<CompletableFuture<Stat>> stats = new ArrayList<>();
        for (EphemeralNode node : nodes) {
            stats.add(node == null || unchanged ? new CompletableFuture<>() : session.exists(node.path()));
        }
        List<Boolean> answers = new ArrayList<>();
        for (int i = 0; i < wishes.size(); i++) {
            ClaimState claim = wishes.get(i).claim;
            EphemeralNode node = nodes.get(i);
            answers.add(node != null
                    && (unchanged || isStill(claim, node, stats.get(i), call))
                    && claim.renewed(session, call.asked(), wishes.get(i).lease));
        }
        return answers;
    }

    private static boolean areUnchanged(List<Op> checks, SessionCall call)
            throws KeeperException, InterruptedException {
        try {
            call.await(call.session().multi(checks));
            return true;
        } catch (NoNodeException | BadVersionException notAll) {
            return false;
        }
    }

    private static boolean isStill(ClaimState claim, EphemeralNode node, CompletableFuture<Stat> stat, SessionCall call)
            throws KeeperException, InterruptedException {
        try {
            return call.await(stat).getVersion() == node.version()
                    || claim.heed(call.await(call.session().data(node.path())));
        } catch (NoNodeException gone) {
            claim.lose(claim.queue().whyGone(node, call));
            return false;
        }
    }
}
