// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What a case of the suite works with: its scene, what it expects, and the rule that it proves. */
@NullMarked
package io.mortise.lock.tck.scene;

import org.jspecify.annotations.NullMarked;
