// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.node.QueueOrder;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot of the queue of a lock at one moment, as the claim of one node reads it. Immutable.
 *
 * @param mine the claim's node
 * @param inOrder the names of all nodes in order, its own among them
 * @param base what tokens count from, read after the names
 */
public record QueueSnapshot(EphemeralNode mine, List<String> inOrder, TokenBase base) {
    /** The path of the node before, or empty if the claim's is the first. */
    public Optional<String> predecessor() {
        return QueueOrder.before(inOrder, mine.name())
                .map(name -> mine.path().substring(0, mine.path().lastIndexOf('/') + 1) + name);
    }
}
