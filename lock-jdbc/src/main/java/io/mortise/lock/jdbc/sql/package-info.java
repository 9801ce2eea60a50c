// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The SQL of each kind of database: its words, how statements and tables are made from them, how names and failures look in it. */
@NullMarked
package io.mortise.lock.jdbc.sql;

import org.jspecify.annotations.NullMarked;
