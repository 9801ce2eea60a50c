// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Cases about what processes, clocks and restarts of the store do to locks (M, N and O of {@code docs/SPEC.md}). */
@NullMarked
package io.mortise.lock.tck.cases.process;

import org.jspecify.annotations.NullMarked;
