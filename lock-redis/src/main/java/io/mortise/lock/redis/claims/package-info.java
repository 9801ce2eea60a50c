// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Claims on locks: acquire, renew, release. */
@NullMarked
package io.mortise.lock.redis.claims;

import org.jspecify.annotations.NullMarked;
