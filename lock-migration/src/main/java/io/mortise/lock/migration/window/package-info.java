// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** How far a migration is: which leases may be had at a time. */
@NullMarked
package io.mortise.lock.migration.window;

import org.jspecify.annotations.NullMarked;
