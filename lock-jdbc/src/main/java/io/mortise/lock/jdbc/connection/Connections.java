// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.sql.SQLException;

/** Where calls get their connections: their own, in autocommit mode, for one call only. Thread-safe. */
public interface Connections extends AutoCloseable {
    /** Runs a call on a connection. */
    <T> T with(JdbcCall<T> work) throws SQLException;

    /** Closes what we opened. */
    @Override
    void close();
}
