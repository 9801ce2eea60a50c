// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Ways to lock, behind one small interface. */
@NullMarked
package io.mortise.lock.bench.contestant;

import org.jspecify.annotations.NullMarked;
