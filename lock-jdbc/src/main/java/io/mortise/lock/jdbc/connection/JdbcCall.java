// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/**
 * The work that one call does on its connection, which commits each statement by itself.
 *
 * @param <T> what it answers
 */
@FunctionalInterface
public interface JdbcCall<T> {
    T run(Handle handle) throws SQLException;
}
