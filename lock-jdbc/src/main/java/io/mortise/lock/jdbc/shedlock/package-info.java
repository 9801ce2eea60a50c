// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Locks in the table of another library, for a fleet that moves away from it. */
@NullMarked
package io.mortise.lock.jdbc.shedlock;

import org.jspecify.annotations.NullMarked;
