// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What claims do to the rows of the table: acquire, renew, release, list, revoke, and sweep. */
@NullMarked
package io.mortise.lock.jdbc.table;

import org.jspecify.annotations.NullMarked;
