// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What locks cost, beside what was recorded of them. */
@NullMarked
package io.mortise.lock.costs;

import org.jspecify.annotations.NullMarked;
