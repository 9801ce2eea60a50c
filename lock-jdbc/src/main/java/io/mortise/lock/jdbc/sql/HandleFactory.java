// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.sql.Connection;
import java.util.Objects;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.jspecify.annotations.Nullable;

/**
 * Makes jdbi's handles for connections that are open already. jdbi itself is made with the first of them: a process that takes one lock
 * needs none, and would spend a third of its time on loading jdbi. Thread-safe.
 */
public final class HandleFactory {
    private @Nullable Jdbi jdbi;
    private @Nullable Connection next;

    /** Gives jdbi the connection that is next; its owner closes it. */
    private final class OpenOnes implements ConnectionFactory {
        @Override
        public Connection openConnection() {
            return Objects.requireNonNull(next);
        }

        @Override
        public void closeConnection(Connection connection) {}
    }

    synchronized Handle of(Connection connection) {
        next = connection;
        try {
            if (jdbi == null) {
                jdbi = forOurStatements(new OpenOnes());
            }
            return jdbi.open();
        } finally {
            next = null;
        }
    }

    /** The text of our statements is final: no template engine and no grammar of SQL are loaded for them. */
    private static Jdbi forOurStatements(ConnectionFactory connections) {
        return Jdbi.create(connections).configure(SqlStatements.class, statements -> statements
                .setTemplateEngine(TemplateEngine.NOP)
                .setSqlParser(new StatementParameters()));
    }
}
