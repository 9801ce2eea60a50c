// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Locks with a mistake each, which the judge must find. */
@NullMarked
package io.mortise.lock.faults.wrong;

import org.jspecify.annotations.NullMarked;
