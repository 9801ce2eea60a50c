// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** PostgreSQL's own locks of a session: no lease, and a connection for each lock that is held or waited for. */
public final class AdvisoryLocks implements Contestant {
    private final HikariDataSource connections;

    public AdvisoryLocks(HikariDataSource connections) {
        this.connections = connections;
    }

    @Override
    public Held acquire(String lock) throws SQLException {
        Connection connection = connections.getConnection();
        perform(connection, "SELECT pg_advisory_lock(?)", lock);
        return () -> {
            perform(connection, "SELECT pg_advisory_unlock(?)", lock);
            connection.close();
        };
    }

    private static void perform(Connection connection, String sql, String lock) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, lock.hashCode());
            statement.executeQuery().close();
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
