// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;

/** Borrows a connection from the application's data source for each call, and returns it with its settings restored. */
public final class DataSourceConnections implements Connections, ConnectionFactory {
    private final DataSource dataSource;
    private final Jdbi jdbi = Connections.jdbi(this);

    /** Those that came without autocommit. */
    private final Set<Connection> switched = ConcurrentHashMap.newKeySet();

    /** Those that came read-only. */
    private final Set<Connection> unlocked = ConcurrentHashMap.newKeySet();

    public DataSourceConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public <T> T with(HandleCallback<T, SQLException> work) throws SQLException {
        try (Handle handle = jdbi.open()) {
            return work.withHandle(handle);
        }
    }

    @Override
    public Connection openConnection() throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
                switched.add(connection);
            }
            if (connection.isReadOnly()) {
                connection.setReadOnly(false);
                unlocked.add(connection);
            }
        } catch (SQLException unfit) {
            try {
                closeConnection(connection);
            } catch (SQLException second) {
                unfit.addSuppressed(second);
            }
            throw unfit;
        }
        return connection;
    }

    @Override
    public void closeConnection(Connection connection) throws SQLException {
        try (connection) {
            if (unlocked.remove(connection)) {
                connection.setReadOnly(true);
            }
            if (switched.remove(connection)) {
                connection.setAutoCommit(false);
            }
        }
    }

    /** The data source is the application's. */
    @Override
    public void close() {}
}
