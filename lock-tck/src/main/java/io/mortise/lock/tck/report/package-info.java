// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What became of each case of a run, as a page to look at and as JSON. */
@NullMarked
package io.mortise.lock.tck.report;

import org.jspecify.annotations.NullMarked;
