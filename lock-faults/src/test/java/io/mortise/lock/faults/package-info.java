// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Random faults against real stores, and a judge of what clients saw meanwhile. */
@NullMarked
package io.mortise.lock.faults;

import org.jspecify.annotations.NullMarked;
