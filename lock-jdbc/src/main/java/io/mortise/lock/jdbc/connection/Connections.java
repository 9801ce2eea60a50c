// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.jdbc.sql.Session;
import java.sql.SQLException;

/**
 * Supplies each call with a connection of its own in autocommit mode: one from the application's {@code DataSource},
 * or one of a small pool of ours. Thread-safe.
 */
public interface Connections extends AutoCloseable {
    /** Runs a call on a connection, which commits each of its statements by itself. */
    <T> T with(Session.Work<T> work) throws SQLException;

    /** Closes what we opened. */
    @Override
    void close();
}
