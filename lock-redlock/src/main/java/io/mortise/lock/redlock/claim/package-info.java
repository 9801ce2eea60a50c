// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Claims on a majority of the members: how a lock is acquired, renewed and released. */
@NullMarked
package io.mortise.lock.redlock.claim;

import org.jspecify.annotations.NullMarked;
