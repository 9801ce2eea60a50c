// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections that their threads keep, with statements that are prepared once: what an embedded database is fastest with. */
public final class ConnectionPerThread implements DataSource {
    private final String url;
    private final ThreadLocal<Connection> connections = new ThreadLocal<>();

    public ConnectionPerThread(String url) {
        this.url = url;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection mine = connections.get();
        if (mine == null) {
            mine = kept(DriverManager.getConnection(url));
            connections.set(mine);
        }
        return mine;
    }

    /** Closing it, or a statement of it, does nothing. */
    private static Connection kept(Connection connection) {
        Map<Object, PreparedStatement> statements = new HashMap<>();
        return proxy(Connection.class, (method, arguments) -> {
            if (method.equals("prepareStatement")) {
                PreparedStatement known = statements.get(arguments[0]);
                if (known == null) {
                    PreparedStatement made = connection.prepareStatement(String.valueOf(arguments[0]));
                    known = proxy(PreparedStatement.class, (name, values) -> switch (name) {
                        case "setObject" -> {
                            made.setObject((Integer) values[0], values[1]);
                            yield null;
                        }
                        case "executeUpdate" -> made.executeUpdate();
                        default -> null;
                    });
                    statements.put(arguments[0], known);
                }
                return known;
            }
            return null;
        });
    }

    private interface Call {
        @Nullable
        Object of(String method, Object[] arguments) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.of(method.getName(), arguments)));
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("one user only");
    }

    @Override
    public PrintWriter getLogWriter() {
        return new PrintWriter(System.err);
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("it has none");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("nothing is wrapped");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
