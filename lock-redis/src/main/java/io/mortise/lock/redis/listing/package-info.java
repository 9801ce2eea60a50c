// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Looking at the locks and revoking them. */
@NullMarked
package io.mortise.lock.redis.listing;

import org.jspecify.annotations.NullMarked;
