// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * A grant and its tokens, which holders of this client take over from each other without asking the ensemble. Writes under
 * it leave in the order of their tokens: once a holder has written, none before it does. Thread-safe.
 */
public final class FencedGrant {
    private final EphemeralNode node;
    private final long first;
    private final long last;
    private long highest;

    public FencedGrant(EphemeralNode node, long first, int tokens) {
        this.node = node;
        this.first = first;
        this.last = first + tokens - 1;
        this.highest = first;
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

    public long first() {
        return first;
    }
}
