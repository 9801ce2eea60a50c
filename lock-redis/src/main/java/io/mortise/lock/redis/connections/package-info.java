// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The connections to one server, a Sentinel set or a Cluster, for calls and for messages; and how calls fail. */
@NullMarked
package io.mortise.lock.redis.connections;

import org.jspecify.annotations.NullMarked;
