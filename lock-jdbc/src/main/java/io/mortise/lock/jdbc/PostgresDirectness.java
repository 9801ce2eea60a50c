// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;

/**
 * Whether a connection goes to a PostgreSQL server itself. A pooler makes up the number of the process that it announces when
 * it is connected to.
 */
final class PostgresDirectness {
    private PostgresDirectness() {}

    static boolean of(Handle handle) throws SQLException {
        Connection connection = handle.getConnection();
        try {
            if (!connection.isWrapperFor(PGConnection.class)) {
                return false;
            }
        } catch (NoClassDefFoundError anotherDriver) {
            return false;
        }
        return handle.createQuery("select pg_backend_pid()")
                        .mapTo(Integer.class)
                        .one()
                == connection.unwrap(PGConnection.class).getBackendPID();
    }
}
