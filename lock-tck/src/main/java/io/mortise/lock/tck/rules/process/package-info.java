// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Rules for what processes, clocks and restarts of the store do to locks (M, N and O of {@code docs/SPEC.md}). */
@NullMarked
package io.mortise.lock.tck.rules.process;

import org.jspecify.annotations.NullMarked;
