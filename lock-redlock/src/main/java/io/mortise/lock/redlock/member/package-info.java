// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The members of a quorum: each is one store, with the claims that are asked of it. */
@NullMarked
package io.mortise.lock.redlock.member;

import org.jspecify.annotations.NullMarked;
