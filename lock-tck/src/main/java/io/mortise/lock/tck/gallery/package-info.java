// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * For tests of the suite itself: runs its cases against wrong locks, which must fail by the case that names their mistake.
 * Needs {@code junit-platform-launcher} on the class path.
 */
@NullMarked
package io.mortise.lock.tck.gallery;

import org.jspecify.annotations.NullMarked;
