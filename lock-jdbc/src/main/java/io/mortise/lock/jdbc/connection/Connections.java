// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.sql.SQLException;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;

/**
 * Supplies each call with a connection of its own in autocommit mode: one from the application's {@code DataSource},
 * or one of a small pool of ours. Thread-safe.
 */
public interface Connections extends AutoCloseable {
    /** Runs a call on a connection, which commits each of its statements by itself. */
    <T> T with(HandleCallback<T, SQLException> work) throws SQLException;

    /** Runs our statements, whose text is final: no template engine and no grammar of SQL are loaded for them. */
    static Jdbi jdbi(ConnectionFactory connections) {
        return Jdbi.create(connections).configure(SqlStatements.class, statements -> statements
                .setTemplateEngine(TemplateEngine.NOP)
                .setSqlParser(new StatementParameters()));
    }

    /** Closes what we opened. */
    @Override
    void close();
}
