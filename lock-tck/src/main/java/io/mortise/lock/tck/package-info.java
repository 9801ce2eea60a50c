// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The conformance suite that every backend runs. */
@NullMarked
package io.mortise.lock.tck;

import org.jspecify.annotations.NullMarked;
