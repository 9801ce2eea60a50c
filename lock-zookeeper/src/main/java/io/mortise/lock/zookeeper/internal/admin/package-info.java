// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** For operators: who holds which lock, and taking a lock away. */
@NullMarked
package io.mortise.lock.zookeeper.internal.admin;

import org.jspecify.annotations.NullMarked;
