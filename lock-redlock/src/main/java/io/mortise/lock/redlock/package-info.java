// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks by a majority of independent stores: {@link io.mortise.lock.redlock.RedlockBackend} makes one store out of an odd number
 * of others, most often of Redis servers that know nothing of each other. What it rests on is told in
 * {@code docs/backends/redlock.md}.
 */
@NullMarked
package io.mortise.lock.redlock;

import org.jspecify.annotations.NullMarked;
