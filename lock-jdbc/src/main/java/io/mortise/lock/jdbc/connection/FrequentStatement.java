// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jspecify.annotations.Nullable;

/**
 * One run of a statement that every lock takes, over JDBC itself. For each run, jdbi copies its configuration and looks for what binds each
 * parameter, which takes longer than a fast database takes for the statement. Parameters and failures are as in all our statements. Used
 * by one thread, for one run.
 */
public final class FrequentStatement {
    private static final int MOST_PARAMETERS = 16;

    /**
     * Reads a row.
     *
     * @param <T> what it says
     */
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private interface Run<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** What the driver threw, as jdbi tells it. */
    private static final class Failed extends JdbiException {
        private static final long serialVersionUID = 1;

        Failed(SQLException cause) {
            super(cause);
        }
    }

    private final Handle handle;
    private final ParsedSql sql;
    private final String[] names = new String[MOST_PARAMETERS];
    private final @Nullable Object[] values = new Object[MOST_PARAMETERS];
    private int count;

    private FrequentStatement(Handle handle, ParsedSql sql) {
        this.handle = handle;
        this.sql = sql;
    }

    /** A run on the connection of a handle. */
    public static FrequentStatement of(Handle handle, String sql) {
        return new FrequentStatement(handle, StatementParameters.in(sql));
    }

    /** {@code value}: a text, a number, or null for no text. */
    public FrequentStatement bind(String name, @Nullable Object value) {
        names[count] = name;
        values[count++] = value;
        return this;
    }

    /** The row that the statement answers with; throws {@link JdbiException} with the driver's exception, or if there are more. */
    public <T> Optional<T> one(RowReader<T> reader) {
        return run(statement -> {
            statement.execute();
            try (ResultSet rows = statement.getResultSet()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                T row = reader.read(rows);
                // SQLite commits when the last row was read: a failure is to be seen.
                if (rows.next()) {
                    throw new SQLException("more than one row");
                }
                return Optional.of(row);
            }
        });
    }

    /** Whether a row was changed. */
    public boolean changesARow() {
        return run(statement -> {
            statement.execute();
            return hasChangedARow(statement);
        });
    }

    /** The number that an update gave to {@code last_insert_id}; empty if it changed no row, or if the driver does not tell. */
    public Optional<Long> insertId() {
        return run(Statement.RETURN_GENERATED_KEYS, statement -> {
            if (statement.executeUpdate() == 0) {
                return Optional.empty();
            }
            try (ResultSet keys = statement.getGeneratedKeys()) {
                return keys.next() ? Optional.of(keys.getLong(1)) : Optional.empty();
            }
        });
    }

    /** Whether an update changed a row: by its count, or by the rows of its answer where a dialect makes it a query. */
    public static boolean hasChangedARow(PreparedStatement executed) throws SQLException {
        try (ResultSet rows = executed.getResultSet()) {
            return rows == null ? executed.getUpdateCount() > 0 : rows.next();
        }
    }

    private <T> T run(Run<T> run) {
        return run(Statement.NO_GENERATED_KEYS, run);
    }

    private <T> T run(int generatedKeys, Run<T> run) {
        Connection connection = handle.getConnection();
        String text = sql.getSql();
        try {
            if (!(handle.getStatementBuilder() instanceof KeptStatements kept)) {
                try (PreparedStatement statement = connection.prepareStatement(text, generatedKeys)) {
                    return run.of(bound(statement));
                }
            }
            PreparedStatement statement = kept.take(connection, text, generatedKeys);
            try {
                return run.of(bound(statement));
            } finally {
                kept.giveBack(text, statement);
            }
        } catch (SQLException failure) {
            throw new Failed(failure);
        }
    }

    private PreparedStatement bound(PreparedStatement statement) throws SQLException {
        List<String> parameters = sql.getParameters().getParameterNames();
        for (int i = 0; i < parameters.size(); i++) {
            Object value = value(parameters.get(i));
            if (value == null) {
                statement.setNull(i + 1, Types.VARCHAR);
            } else if (value instanceof String text) {
                statement.setString(i + 1, text);
            } else if (value instanceof Integer number) {
                statement.setInt(i + 1, number);
            } else {
                statement.setLong(i + 1, (Long) value);
            }
        }
        return statement;
    }

    private @Nullable Object value(String parameter) {
        for (int i = 0; i < count; i++) {
            if (names[i].equals(parameter)) {
                return values[i];
            }
        }
        throw new IllegalArgumentException("nothing is bound to :" + parameter);
    }
}
