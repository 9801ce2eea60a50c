// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What the members are together: how they vote, whose vote counts, and when there is a majority. */
@NullMarked
package io.mortise.lock.redlock.quorum;

import org.jspecify.annotations.NullMarked;
