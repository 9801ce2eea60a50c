// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Moves a fleet from one store of locks to another while it runs. */
@NullMarked
package io.mortise.lock.migration;

import org.jspecify.annotations.NullMarked;
