// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.jdbc.connection.Connections;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.SqlFailures;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/** Connections that tell which isolation they have, and how many calls failed because of it. */
final class IsolatedConnections implements Connections {
    private static final String SERIALIZATION_FAILURE = "40001";

    private final Connections connections;
    private final Set<TransactionIsolationLevel> isolations = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();

    IsolatedConnections(Connections connections) {
        this.connections = connections;
    }

    Set<TransactionIsolationLevel> isolations() {
        return isolations;
    }

    int failures() {
        return failures.get();
    }

    @Override
    public <T> T with(Session.Work<T> work) throws SQLException {
        try {
            return connections.with(session -> {
                isolations.add(session.handle().getTransactionIsolationLevel());
                return work.on(session);
            });
        } catch (RuntimeException | SQLException failure) {
            SQLException driver = SqlFailures.driverException(failure);
            if (driver != null && SERIALIZATION_FAILURE.equals(driver.getSQLState())) {
                failures.incrementAndGet();
            }
            throw failure;
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
