// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * How locking works, written once for all stores: waiting, the queue of this JVM, renewal, loss, re-entrancy. Not
 * exported and free to change.
 */
@NullMarked
package io.mortise.lock.engine;

import org.jspecify.annotations.NullMarked;
