// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.pipeline;

import io.mortise.lock.spi.StoreIncarnation;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered. Immutable.
 *
 * @param value as jedis reads it
 * @param incarnation the incarnation of the server's process that answered
 */
public record Reply(@Nullable Object value, StoreIncarnation incarnation) {}
