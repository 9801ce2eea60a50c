// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What must be so whatever happened. */
@NullMarked
package io.mortise.lock.faults.check;

import org.jspecify.annotations.NullMarked;
