// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jdbi.v3.core.statement.DefaultStatementBuilder;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Keeps the statements of one connection that have been prepared, for the next call with the same text: SQLite spends more time on
 * preparing one than on running it. No statement of ours asks for generated keys or for rows that can be changed, so the text tells all.
 * They end with their connection. Used by one thread at a time, as the connection is.
 */
final class KeptStatements extends DefaultStatementBuilder {
    private static final int MOST = 64;

    private final Map<String, PreparedStatement> idle = new HashMap<>();

    /** The text of each that is in use, as the driver has it: when it is closed, jdbi tells the one with names of parameters. */
    private final Map<Statement, String> texts = new IdentityHashMap<>();

    @Override
    public PreparedStatement create(Connection connection, String sql, StatementContext context) throws SQLException {
        PreparedStatement kept = idle.remove(sql);
        PreparedStatement statement = kept == null ? super.create(connection, sql, context) : kept;
        texts.put(statement, sql);
        return statement;
    }

    @Override
    public void close(Connection connection, String sql, Statement statement) throws SQLException {
        String text = texts.remove(statement);
        if (!(statement instanceof PreparedStatement prepared)
                || text == null
                || idle.size() >= MOST
                || idle.containsKey(text)) {
            super.close(connection, sql, statement);
            return;
        }
        prepared.clearParameters();
        idle.put(text, prepared);
    }
}
