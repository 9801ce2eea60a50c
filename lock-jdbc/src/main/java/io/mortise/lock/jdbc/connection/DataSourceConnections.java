// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.jdbc.sql.HandleFactory;
import io.mortise.lock.jdbc.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Borrows a connection from the application's data source for each call, and returns it with its settings restored. */
public final class DataSourceConnections implements Connections {
    private final DataSource dataSource;
    private final HandleFactory handles = new HandleFactory();

    public DataSourceConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** One that is borrowed. */
    private static final class Borrowed implements AutoCloseable {
        private final Connection connection;
        private boolean switched;
        private boolean unlocked;

        private Borrowed(Connection connection) {
            this.connection = connection;
        }

        /** Each statement commits by itself, and may write. */
        private void makeFit() throws SQLException {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
                switched = true;
            }
            if (connection.isReadOnly()) {
                connection.setReadOnly(false);
                unlocked = true;
            }
        }

        /** Returns it as it came. */
        @Override
        public void close() throws SQLException {
            try (connection) {
                if (unlocked) {
                    connection.setReadOnly(true);
                }
                if (switched) {
                    connection.setAutoCommit(false);
                }
            }
        }
    }

    @Override
    public <T> T with(Session.Work<T> work) throws SQLException {
        try (Borrowed borrowed = new Borrowed(dataSource.getConnection())) {
            borrowed.makeFit();
            return work.on(Session.on(borrowed.connection, handles));
        }
    }

    /** The data source is the application's. */
    @Override
    public void close() {}
}
