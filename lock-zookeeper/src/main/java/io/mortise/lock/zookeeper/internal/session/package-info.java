// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The session with ZooKeeper: what can be asked in it, and how long it lives for certain. */
@NullMarked
package io.mortise.lock.zookeeper.internal.session;

import org.jspecify.annotations.NullMarked;
