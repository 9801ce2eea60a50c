// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.jdbc.sql.TableSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Connections whose driver fails to take leave of the server, as PostgreSQL's does when that is gone. */
class CachedConnectionsTest {
    private final AtomicInteger closed = new AtomicInteger();
    private final CachedConnections connections = new CachedConnections(this::open, TableSettings.DEFAULT);

    private Connection open() throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:h2:mem:leave");
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(real, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                    if (method.getName().equals("close")) {
                        closed.incrementAndGet();
                        throw new SQLException("Unable to close connection properly");
                    }
                    return answer;
                });
    }

    @Test
    void allAreClosedAtTheEnd() throws Exception {
        int answer = connections.with(outer -> connections.with(inner -> 1));
        assertThat(answer).isEqualTo(1);
        connections.close();
        assertThat(closed).hasValue(2);
    }

    @Test
    void aFailureIsToldAsItWas() {
        assertThatThrownBy(() -> connections.with(session -> {
                    throw new SQLException("serialization", "40001", 40001);
                }))
                .isInstanceOf(SQLException.class)
                .hasMessage("serialization");
        assertThatThrownBy(() -> connections.with(session -> {
                    throw new SQLException("broken", "08006");
                }))
                .isInstanceOf(SQLException.class)
                .hasMessage("broken");
        assertThat(closed).hasPositiveValue();
    }
}
