// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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
 * preparing one than on running it. No statement of ours asks for rows that can be changed, and one that asks for generated keys does so
 * whenever it is prepared, so the text tells all.
 * They end with their connection. Used by one thread at a time, as the connection is.
 */
final class KeptStatements extends DefaultStatementBuilder {
    private static final int MOST = 64;
    private static final Logger LOG = System.getLogger(KeptStatements.class.getName());

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

    /** A statement that jdbi does not know of; it goes back with {@link #giveBack}. */
    PreparedStatement take(Connection connection, String sql, int generatedKeys) throws SQLException {
        PreparedStatement kept = idle.remove(sql);
        return kept == null ? connection.prepareStatement(sql, generatedKeys) : kept;
    }

    @Override
    public void close(Connection connection, String sql, Statement statement) throws SQLException {
        String text = texts.remove(statement);
        if (text != null && statement instanceof PreparedStatement prepared) {
            giveBack(text, prepared);
        } else {
            super.close(connection, sql, statement);
        }
    }

    /** Keeps a statement, or closes it. Throws nothing: what the statement came to is told already. */
    void giveBack(String text, PreparedStatement statement) {
        try {
            statement.clearParameters();
            if (idle.size() >= MOST || idle.containsKey(text)) {
                statement.close();
            } else {
                idle.put(text, statement);
            }
        } catch (SQLException ended) {
            LOG.log(Level.DEBUG, "a statement ended with its connection", ended);
        }
    }
}
