// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Connections to Redis: one server, a Sentinel set, or a Cluster, and what went wrong with them. */
@NullMarked
package io.mortise.lock.redis.connections;

import org.jspecify.annotations.NullMarked;
