// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks in a relational database (PostgreSQL, MariaDB, H2 or SQLite), one row for each name:
 * {@link io.mortise.lock.jdbc.JdbcBackend} over any {@link javax.sql.DataSource}, or a {@code jdbc:} URL.
 *
 * <p>Every operation is one conditional statement in a transaction of its own, by the clock of the database.
 */
@NullMarked
package io.mortise.lock.jdbc;

import org.jspecify.annotations.NullMarked;
