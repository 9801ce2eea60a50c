// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import java.util.Optional;

/**
 * What one claim has read from its lock's queue: its own node, the path of the node before it unless it is first, and the text
 * of its node, if the claim has written that just before it read the queue: only then may it take the lock.
 */
public record QueueSnapshot(EphemeralNode mine, Optional<String> predecessor, Optional<NodeText> text) {}
