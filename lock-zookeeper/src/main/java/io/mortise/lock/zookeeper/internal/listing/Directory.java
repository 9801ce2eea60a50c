// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.listing;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Ticker;
import io.mortise.lock.zookeeper.internal.client.ClientContext;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.queue.LockQueue;
import io.mortise.lock.zookeeper.internal.session.Deadline;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.NoNodeException;

/** Who holds a lock, for people. Reads only. Stateless. */
public final class Directory {
    private final ClientContext ensemble;

    public Directory(ClientContext ensemble) {
        this.ensemble = ensemble;
    }

    public Optional<LockHolder> inspect(String lock, Deadline calm) {
        LockQueue queue = new LockQueue(ensemble, lock);
        return ensemble.callCalmly(calm, session -> {
            while (true) {
                List<String> line = queue.line(session, calm);
                if (line.isEmpty()) {
                    return Optional.empty();
                }
                try {
                    CompletableFuture<Session.Data> base = session.data(ensemble.layout.tokenBase());
                    CompletableFuture<Session.Data> first = session.data(queue.pathOf(line.get(0)));
                    Session.Data data = calm.await(base);
                    return Optional.of(holder(
                            NodeText.read(lock, calm.await(first).bytes()),
                            calm.await(first),
                            TokenBase.of(data.bytes(), data.stat()),
                            line.size() - 1));
                } catch (NoNodeException gone) {
                    // and the next is first; or the first ever is about to be
                }
            }
        });
    }

    /**
     * What is told of a holder. For how long it has been in line goes by this host's clock and the ensemble's, the only
     * figure that does; of its lease nobody but the holder knows how much is left, so the whole of it is told.
     */
    public static LockHolder holder(NodeText text, Session.Data node, TokenBase base, int waiters) {
        long since = node.stat().getCtime();
        return new LockHolder(
                text.lock(),
                text.label(),
                text.token().orElseGet(() -> base.tokenThen(node.stat().getCzxid())),
                Duration.ofMillis(Math.max(0, Ticker.system().wallMillis() - since)),
                text.lease(),
                OptionalInt.of(waiters),
                text.revoked());
    }
}
