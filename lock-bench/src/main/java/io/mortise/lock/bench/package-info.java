// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Measures locks side by side, ours and others', against the fewest commands that a safe lock could send. */
@NullMarked
package io.mortise.lock.bench;

import org.jspecify.annotations.NullMarked;
