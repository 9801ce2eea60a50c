// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The SQL of the locks: one {@link io.mortise.lock.jdbc.sql.Dialect} for each kind of database, the statements and tables that are
 * made from it, and how names and failures look in it. Knows no connection of its own.
 */
@NullMarked
package io.mortise.lock.jdbc.sql;

import org.jspecify.annotations.NullMarked;
