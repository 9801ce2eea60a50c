// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Real time: pauses, limits, and the stalls of the machine. */
@NullMarked
package io.mortise.lock.tck.time;

import org.jspecify.annotations.NullMarked;
