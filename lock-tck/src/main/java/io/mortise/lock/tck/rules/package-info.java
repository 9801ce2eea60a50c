// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The rules of the suite, a group to an interface, a case to a method. The methods are named by the rules of
 * {@code docs/SPEC.md}.
 */
@NullMarked
package io.mortise.lock.tck.rules;

import org.jspecify.annotations.NullMarked;
