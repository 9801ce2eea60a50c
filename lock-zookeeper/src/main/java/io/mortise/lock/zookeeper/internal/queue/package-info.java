// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The queue of a lock: who is in line, the node of a claim in it, and watches on the nodes before. */
@NullMarked
package io.mortise.lock.zookeeper.internal.queue;

import org.jspecify.annotations.NullMarked;
