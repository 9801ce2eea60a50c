// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Leases that are held in two stores at once. */
@NullMarked
package io.mortise.lock.migration.dual;

import org.jspecify.annotations.NullMarked;
