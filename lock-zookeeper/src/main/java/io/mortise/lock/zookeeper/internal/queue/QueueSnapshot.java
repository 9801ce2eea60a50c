// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.util.Optional;

/**
 * What one claim has read from its lock's queue: its own node, the path of the node before it unless it is first, and the
 * token base, read after the queue.
 */
public record QueueSnapshot(EphemeralNode mine, Optional<String> predecessor, TokenBase base) {}
