// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** One member of a quorum, and the claims that it is asked for. */
@NullMarked
package io.mortise.lock.redlock.member;

import org.jspecify.annotations.NullMarked;
