// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The place that the holders of locks write to: it refuses lower tokens. */
@NullMarked
package io.mortise.lock.faults.guard;

import org.jspecify.annotations.NullMarked;
