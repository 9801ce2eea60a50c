// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.token;

import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.zookeeper.internal.client.ClientContext;
import io.mortise.lock.zookeeper.internal.queue.QueueNode;
import io.mortise.lock.zookeeper.internal.queue.QueueSnapshot;
import io.mortise.lock.zookeeper.internal.session.Deadline;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;

/** Fencing tokens: given to the first in line, raised by a holder. Stateless. */
public final class FencingTokens {
    private final ClientContext ensemble;

    public FencingTokens(ClientContext ensemble) {
        this.ensemble = ensemble;
    }

    /**
     * The first token of a grant. Most grants have theirs without a further request.
     *
     * @param view seen by the first in line
     * @throws BadVersionException if the node or the base was changed meanwhile: look again
     * @throws NoNodeException if the node is gone
     */
    public long grant(QueueSnapshot view, ClaimRequest request, QueueNode place, Deadline deadline)
            throws KeeperException, InterruptedException {
        EphemeralNode mine = view.mine();
        TokenBase base = view.base();
        long least = base.token(mine.czxid());
        long token = Math.max(least, request.tokenFloor() + 1);
        long last = token + request.tokenCount() - 1;
        TokenBase.checkRange(last);
        boolean raise = !base.isAbove(mine.czxid(), last);
        if (!raise && token == least && base.tells(mine.czxid())) {
            return token;
        }
        List<Op> operations = new ArrayList<>();
        operations.add(Op.setData(mine.path(), place.text().withToken(token).bytes(), mine.version()));
        if (raise) {
            long ahead = token > least ? TokenBase.AHEAD : 0;
            operations.add(raising(base, base.raisedAbove(mine.czxid(), last, ahead)));
        }
        deadline.await(mine.session().multi(operations));
        place.written(mine.version() + 1);
        return token;
    }

    /**
     * Makes the tokens of all later nodes greater.
     *
     * @return false if the node is gone
     */
    public boolean raise(EphemeralNode holder, long token, Deadline deadline)
            throws KeeperException, InterruptedException {
        while (true) {
            TokenBase base = ensemble.tokenBase(holder.session(), deadline);
            List<Op> operations = new ArrayList<>();
            operations.add(Op.check(holder.path(), -1));
            if (!base.isAbove(holder.czxid(), token)) {
                operations.add(raising(base, base.raisedAbove(holder.czxid(), token, TokenBase.AHEAD)));
            }
            try {
                deadline.await(holder.session().multi(operations));
                return true;
            } catch (BadVersionException raisedMeanwhile) {
                // by another lock of the same root
            } catch (NoNodeException gone) {
                return false;
            }
        }
    }

    private Op raising(TokenBase base, byte[] data) {
        return Op.setData(ensemble.layout.tokenBase(), data, base.version());
    }
}
