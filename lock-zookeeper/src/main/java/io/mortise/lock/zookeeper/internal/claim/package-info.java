// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Claims: acquire, renew, release, and how each ends. */
@NullMarked
package io.mortise.lock.zookeeper.internal.claim;

import org.jspecify.annotations.NullMarked;
