// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the database, and both ways to run a statement on it: what every lock and every short process takes goes over JDBC itself
 * ({@link #statement}), the rest through jdbi ({@link #handle}). Whoever opened the connection closes it. Used by one thread at a time.
 */
public final class Session {
    /**
     * Something to do on a session.
     *
     * @param <T> what it answers
     */
    public interface Work<T> {
        T on(Session session) throws SQLException;
    }

    private final Connection connection;
    private final HandleFactory handles;
    private final @Nullable KeptStatements kept;
    private @Nullable Handle handle;

    private Session(Connection connection, HandleFactory handles, @Nullable KeptStatements kept) {
        this.connection = connection;
        this.handles = handles;
        this.kept = kept;
    }

    /** On a connection of an application, which may look after prepared statements itself. */
    public static Session on(Connection connection, HandleFactory handles) {
        return new Session(connection, handles, null);
    }

    /** On a connection of ours: statements stay prepared for the next call. */
    public static Session keepingStatements(Connection connection, HandleFactory handles) {
        return new Session(connection, handles, new KeptStatements());
    }

    public Connection connection() {
        return connection;
    }

    /** One run of a statement over JDBC itself. */
    public DirectStatement statement(String sql) {
        return new DirectStatement(connection, kept, sql);
    }

    /** What runs statements through jdbi. */
    public Handle handle() {
        if (handle == null) {
            Handle made = handles.of(connection);
            if (kept != null) {
                made.setStatementBuilder(kept);
            }
            handle = made;
        }
        return handle;
    }
}
