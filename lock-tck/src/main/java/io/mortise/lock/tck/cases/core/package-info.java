// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Cases for every backend: exclusion, names, waiting, interrupts, release and the local queue (A to E and L of
 * {@code docs/SPEC.md}).
 */
@NullMarked
package io.mortise.lock.tck.cases.core;

import org.jspecify.annotations.NullMarked;
