// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Fencing tokens, which are made of the zxids of nodes. */
@NullMarked
package io.mortise.lock.zookeeper.internal.token;

import org.jspecify.annotations.NullMarked;
