// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The names, the paths and the data of nodes: what is stored in ZooKeeper. Asks nothing. */
@NullMarked
package io.mortise.lock.zookeeper.internal.node;

import org.jspecify.annotations.NullMarked;
