// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Claims: how each is granted, renewed and released, and how it ends. */
@NullMarked
package io.mortise.lock.zookeeper.internal.claim;

import org.jspecify.annotations.NullMarked;
