// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** How JUnit runs the suite: scenes, repetitions after stalls, the report of a run. */
@NullMarked
package io.mortise.lock.tck.run;

import org.jspecify.annotations.NullMarked;
