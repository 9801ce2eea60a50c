// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Hearing of released locks over a connection of its own. */
@NullMarked
package io.mortise.lock.redis.listening;

import org.jspecify.annotations.NullMarked;
