// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks in Redis: one server, a Sentinel set, or a Cluster.
 *
 * <p>{@link io.mortise.lock.redis.RedisBackend} is the way in, or a URL that
 * {@link io.mortise.lock.redis.RedisBackendProvider} understands.
 */
@NullMarked
package io.mortise.lock.redis;

import org.jspecify.annotations.NullMarked;
