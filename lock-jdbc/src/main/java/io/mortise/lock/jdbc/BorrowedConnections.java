// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Connections of the application's pool, given back as they came. */
final class BorrowedConnections implements Connections {
    private final DataSource pool;
    private final Jdbi jdbi;

    BorrowedConnections(DataSource pool) {
        this.pool = pool;
        this.jdbi = Jdbi.create(pool);
    }

    @Override
    public <T> T with(Work<T> work) throws SQLException {
        try (Handle handle = jdbi.open()) {
            Connection connection = handle.getConnection();
            if (connection.getAutoCommit()) {
                return work.run(handle);
            }
            connection.setAutoCommit(true);
            try {
                return work.run(handle);
            } finally {
                connection.setAutoCommit(false);
            }
        }
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return pool.getClass().getName();
    }
}
