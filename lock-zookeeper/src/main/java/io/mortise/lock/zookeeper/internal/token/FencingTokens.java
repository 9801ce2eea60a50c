// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.token;

import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * Gives fencing tokens to the claim that is first in the queue, and raises the base that all tokens of a root count
 * from. Thread-safe.
 *
 * <p>The base is read once in a session and watched. Events and answers of one session come in the order of the changes at its
 * server: when the answer of another read is there, the base that is known is not older than what that read saw.
 */
public final class FencingTokens {
    /** The base as a session has read it. */
    private record Known(Session session, Session.Data data) {}

    private final NodePaths paths;

    /** One for all sessions: ZooKeeper keeps it once for each. Whatever happens, the base is read again. */
    private final Watcher watcher = event -> forget();

    private volatile @Nullable Known known;

    public FencingTokens(NodePaths paths) {
        this.paths = paths;
    }

    private void forget() {
        known = null;
    }

    /** Asks for the base unless it is known, behind a request that was just sent; returns the last of both, to wait for. */
    public CompletableFuture<?> requestBehind(CompletableFuture<?> sent, Session session) {
        return knownIn(session) == null ? request(session) : sent;
    }

    private CompletableFuture<Session.Data> request(Session session) {
        return session.watchedData(paths.tokenBase(), watcher, data -> known = new Known(session, data));
    }

    private Session.@Nullable Data knownIn(Session session) {
        Known now = known;
        return now != null && now.session == session ? now.data : null;
    }

    /** The base that is known, if there is one. */
    public Optional<TokenBase> baseNow(Session session) {
        return Optional.ofNullable(knownIn(session)).map(TokenBase::of);
    }

    /** The base, not older than any answer that there is when this is called; made if it is missing. */
    public TokenBase base(SessionCall call) throws KeeperException, InterruptedException {
        Session.Data data = knownIn(call.session());
        if (data != null) {
            return TokenBase.of(data);
        }
        try {
            return TokenBase.of(call.await(request(call.session())));
        } catch (NoNodeException missing) {
            call.await(call.session().createWithAncestors(paths.tokenBase(), paths.acl()));
            return TokenBase.of(call.await(request(call.session())));
        }
    }

    /**
     * Grants the lock to the node that is first in line, with a base that was read after it was first. Most grants
     * have their tokens without a further request; the others write the token into the text of the node.
     *
     * @param text what the node says
     * @throws BadVersionException if the node or the base was changed meanwhile: look again
     * @throws NoNodeException if the node is gone
     */
    public FencedGrant grant(EphemeralNode mine, TokenBase base, ClaimRequest request, NodeText text, SessionCall call)
            throws KeeperException, InterruptedException {
        long least = base.token(mine.czxid());
        long token = Math.max(least, request.tokenFloor() + 1);
        long last = token + request.tokenCount() - 1;
        TokenBase.checkRange(last);
        boolean raise = !base.isAbove(mine.czxid(), last);
        boolean isTold = text.token().isPresent()
                ? text.token().getAsLong() == token
                : token == least && base.tells(mine.czxid());
        if (!raise && isTold) {
            return new FencedGrant(mine, token, last);
        }
        List<Op> operations = new ArrayList<>();
        operations.add(Op.setData(mine.path(), text.withToken(token).bytes(), mine.version()));
        if (raise) {
            long ahead = token > least ? TokenBase.AHEAD : 0;
            operations.add(raising(base, base.raisedAbove(mine.czxid(), last, ahead)));
        }
        call.await(call.session().multi(operations));
        return new FencedGrant(mine.withVersion(mine.version() + 1), token, last);
    }

    /** The token that a node which is made now would have: all that were given are below those of later nodes. */
    public long highest(SessionCall call) throws KeeperException, InterruptedException {
        Session session = call.session();
        call.await(session.createWithAncestors(paths.root(), paths.acl()));
        Session.Created probe = call.await(
                session.create(paths.root() + "/probe-", new byte[0], paths.acl(), CreateMode.EPHEMERAL_SEQUENTIAL));
        long highest = base(call).token(probe.stat().getCzxid());
        call.await(session.delete(probe.path()));
        return highest;
    }

    /** Makes the tokens of all later nodes greater; false if the node is gone. */
    public boolean raise(EphemeralNode holder, long token, SessionCall call)
            throws KeeperException, InterruptedException {
        while (true) {
            TokenBase base = base(call);
            List<Op> operations = new ArrayList<>();
            operations.add(Op.check(holder.path(), -1));
            if (!base.isAbove(holder.czxid(), token)) {
                operations.add(raising(base, base.raisedAbove(holder.czxid(), token, TokenBase.AHEAD)));
            }
            try {
                call.await(call.session().multi(operations));
                return true;
            } catch (BadVersionException raisedMeanwhile) {
                // by another lock of the same root
                forget();
            } catch (NoNodeException gone) {
                return false;
            }
        }
    }

    private Op raising(TokenBase base, byte[] data) {
        return Op.setData(paths.tokenBase(), data, base.version());
    }
}
