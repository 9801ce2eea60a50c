// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks by a majority of independent stores: {@link io.mortise.lock.redlock.RedlockBackend} makes one store out of an odd number
 * of others, most often of Redis servers that know nothing of each other. {@code docs/backends/redlock.md} says when to use it and
 * why it is safe.
 */
@NullMarked
package io.mortise.lock.redlock;

import org.jspecify.annotations.NullMarked;
