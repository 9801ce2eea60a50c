// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The scripts that run inside Redis, their keys, and how they are sent. */
@NullMarked
package io.mortise.lock.redis.scripts;

import org.jspecify.annotations.NullMarked;
