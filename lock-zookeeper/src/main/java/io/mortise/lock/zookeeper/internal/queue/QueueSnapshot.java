// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.session.EphemeralNode;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.util.Optional;

/**
 * The queue of a lock at one moment, as the claim of one node sees it: the path of the node before, unless its own is
 * first, and the base of tokens, read after the queue.
 */
public record QueueSnapshot(EphemeralNode mine, Optional<String> predecessor, TokenBase base) {}
