// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.token;

import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.node.NodeText;
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

/**
 * Gives fencing tokens to the claim that is first in the queue, and raises the base that all tokens of a root count
 * from. Stateless.
 */
public final class FencingTokens {
    /** A grant after a shorter wait is told to have been when the claim entered the queue, which saves a write. */
    private static final Duration WAIT_WORTH_NOTING = Duration.ofMillis(20);

    private final NodePaths paths;

    public FencingTokens(NodePaths paths) {
        this.paths = paths;
    }

    /** Asks for the base; {@link #base} waits for the answer. */
    public CompletableFuture<Session.Data> requestBase(Session session) {
        return session.data(paths.tokenBase());
    }

    /** The base, made if it is missing. */
    public TokenBase base(CompletableFuture<Session.Data> requested, SessionCall call)
            throws KeeperException, InterruptedException {
        try {
            return TokenBase.of(call.await(requested));
        } catch (NoNodeException missing) {
            call.await(call.session().createWithAncestors(paths.tokenBase(), paths.acl()));
            return TokenBase.of(call.await(requestBase(call.session())));
        }
    }

    /**
     * Grants the lock to the node that is first in line, with a base that was read after it was first. Most grants
     * without a wait have their tokens without a further request; the others write the token, and how long the claim has
     * waited, into the text of the node.
     *
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
        boolean waitedLong = text.waited().compareTo(WAIT_WORTH_NOTING) >= 0;
        if (!raise && token == least && base.tells(mine.czxid()) && !waitedLong) {
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

    /** Makes the tokens of all later nodes greater; false if the node is gone. */
    public boolean raise(EphemeralNode holder, long token, SessionCall call)
            throws KeeperException, InterruptedException {
        while (true) {
            TokenBase base = base(requestBase(call.session()), call);
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
            } catch (NoNodeException gone) {
                return false;
            }
        }
    }

    private Op raising(TokenBase base, byte[] data) {
        return Op.setData(paths.tokenBase(), data, base.version());
    }
}
