// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.jdbc.connection.Connections;
import io.mortise.lock.jdbc.sql.Session;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/** Connections to a database whose clock a test sets forward and back. */
final class MovedClock implements Connections {
    private final Connections connections;
    private final String sql;
    private final AtomicLong aheadMicros;

    /**
     * Moves the clock of each call.
     *
     * @param sql has the session's clock go ahead by {@code ?} microseconds
     */
    MovedClock(Connections connections, String sql, AtomicLong aheadMicros) {
        this.connections = connections;
        this.sql = sql;
        this.aheadMicros = aheadMicros;
    }

    @Override
    public <T> T with(Session.Work<T> work) throws SQLException {
        return connections.with(session -> {
            session.handle().execute(sql, aheadMicros.get());
            return work.on(session);
        });
    }

    @Override
    public void close() {
        connections.close();
    }
}
