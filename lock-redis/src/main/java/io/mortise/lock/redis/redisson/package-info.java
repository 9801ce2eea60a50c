// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Locks in the format of another library, for a fleet that moves away from it. */
@NullMarked
package io.mortise.lock.redis.redisson;

import org.jspecify.annotations.NullMarked;
