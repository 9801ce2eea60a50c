// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.jdbc.connection.CachedConnections;
import io.mortise.lock.jdbc.connection.ConnectionOpener;
import io.mortise.lock.jdbc.connection.DriverConnections;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.LockBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Connections that prepare another statement than the one that they are asked for. */
record EditedStatements(ConnectionOpener opener, UnaryOperator<String> edit) implements ConnectionOpener {
    /** The backend of a URL, over such connections. */
    static LockBackend open(String url, UnaryOperator<String> edit) {
        DriverConnections driver = new DriverConnections(url);
        TableSettings settings = TableSettings.DEFAULT;
        return JdbcBackend.connect(
                new CachedConnections(new EditedStatements(driver, edit), settings),
                settings,
                Optional.of(new EditedStatements(driver.forListening(), edit)),
                url);
    }

    @Override
    public Connection open() throws SQLException {
        Connection connection = opener.open();
        return (Connection) Proxy.newProxyInstance(
                EditedStatements.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    if (method.getName().startsWith("prepare")
                            && arguments != null
                            && arguments[0] instanceof String sql) {
                        arguments[0] = edit.apply(sql);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    @Override
    public Optional<Object> database() {
        return opener.database();
    }
}
