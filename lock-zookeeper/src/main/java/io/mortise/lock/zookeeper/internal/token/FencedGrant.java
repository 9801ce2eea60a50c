// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.token;

import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * One grant of a lock: the holder's node and the range of fencing tokens, which holders of this client hand over to
 * each other without asking the ensemble. Writes under the grant are sent in the order of their tokens: once a holder
 * has written, none before it does. Thread-safe.
 */
public final class FencedGrant {
    private final EphemeralNode node;
    private final long first;
    private final long last;
    private long highest;

    FencedGrant(EphemeralNode node, long first, long last) {
        this.node = node;
        this.first = first;
        this.last = last;
        this.highest = first;
    }

    /** The holder's node, as it was when the lock was granted. */
    public EphemeralNode node() {
        return node;
    }

    public long first() {
        return first;
    }

    /** Sends writes that depend on the node; empty if the token is another grant's, or a later holder has written. */
    public synchronized Optional<CompletableFuture<List<OpResult>>> write(long token, List<Op> writes) {
        if (token < highest || token > last) {
            return Optional.empty();
        }
        highest = token;
        List<Op> operations = new ArrayList<>();
        operations.add(Op.check(node.path(), -1));
        operations.addAll(writes);
        return Optional.of(node.session().attempt(operations));
    }
}
