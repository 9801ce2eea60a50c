// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Tests that look at all modules together: architecture, sources, coverage by the conformance suite, start-up. */
@NullMarked
package io.mortise.lock.conventions;

import org.jspecify.annotations.NullMarked;
