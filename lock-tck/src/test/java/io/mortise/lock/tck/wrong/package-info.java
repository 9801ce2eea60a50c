// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Locks that are wrong in one way each. The suite must catch every one of them, by the rule that names its mistake. */
@NullMarked
package io.mortise.lock.tck.wrong;

import org.jspecify.annotations.NullMarked;
