// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The members together: their settings, their votes, and whose vote counts. */
@NullMarked
package io.mortise.lock.redlock.quorum;

import org.jspecify.annotations.NullMarked;
