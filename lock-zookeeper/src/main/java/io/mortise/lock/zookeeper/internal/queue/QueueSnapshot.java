// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.node.QueueOrder;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.util.List;
import java.util.Optional;

/**
 * What a claim sees from its place in the queue. Immutable.
 *
 * @param mine its node
 * @param line the names of all nodes in order, its own among them
 * @param base what tokens count from, read after the line
 */
public record QueueSnapshot(EphemeralNode mine, List<String> line, TokenBase base) {
    public boolean isFirst() {
        return before().isEmpty();
    }

    /** The path of the node before. */
    public Optional<String> before() {
        return QueueOrder.before(line, mine.name())
                .map(name -> mine.path().substring(0, mine.path().lastIndexOf('/') + 1) + name);
    }
}
