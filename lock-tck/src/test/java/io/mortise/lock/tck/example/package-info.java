// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** A backend to begin with: small, right, and tested by the suite. */
@NullMarked
package io.mortise.lock.tck.example;

import org.jspecify.annotations.NullMarked;
