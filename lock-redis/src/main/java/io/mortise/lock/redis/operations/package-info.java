// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What can be done with locks: acquire, renew and release them; inspect, list and revoke them. */
@NullMarked
package io.mortise.lock.redis.operations;

import org.jspecify.annotations.NullMarked;
