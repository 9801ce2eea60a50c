// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The scripts that run inside Redis, the keys that they work on, and how they get to the servers. */
@NullMarked
package io.mortise.lock.redis.scripts;

import org.jspecify.annotations.NullMarked;
