// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What was asked and answered in a case, and what is wrong with it. */
@NullMarked
package io.mortise.lock.tck.history;

import org.jspecify.annotations.NullMarked;
