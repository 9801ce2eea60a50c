// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Requests of many callers over one connection, whose answers need no thread that waits. */
@NullMarked
package io.mortise.lock.redis.pipeline;

import org.jspecify.annotations.NullMarked;
