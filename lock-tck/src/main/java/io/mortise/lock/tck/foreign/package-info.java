// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Puts the locks of other libraries and languages to the cases of the suite that apply to them. */
@NullMarked
package io.mortise.lock.tck.foreign;

import org.jspecify.annotations.NullMarked;
