// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jspecify.annotations.Nullable;

/**
 * One run of a statement over JDBC itself, of those that every lock or every short process takes. For each run, jdbi copies its configuration and
 * looks for what binds each parameter, which takes longer than a fast database takes for the statement, and its classes take long to load.
 * Parameters and failures are as in all our statements. Used by one thread, for one run.
 */
public final class DirectStatement {
    private static final int MOST_PARAMETERS = 16;

    /**
     * Reads a row; null if what it says is no value.
     *
     * @param <T> what it says
     */
    public interface RowReader<T> {
        @Nullable
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

    private final Connection connection;
    private final @Nullable KeptStatements kept;
    private final ParsedSql sql;
    private final String[] names = new String[MOST_PARAMETERS];
    private final @Nullable Object[] values = new Object[MOST_PARAMETERS];
    private int count;

    /** {@code kept}: where the connection keeps its statements, or null if it keeps none. */
    DirectStatement(Connection connection, @Nullable KeptStatements kept, String sql) {
        this.connection = connection;
        this.kept = kept;
        this.sql = StatementParameters.in(sql);
    }

    /** {@code value}: a text, a number, or null for no text. */
    public DirectStatement bind(String name, @Nullable Object value) {
        names[count] = name;
        values[count++] = value;
        return this;
    }

    /**
     * What the row says that the statement answers with; empty if there is no row or no value. Throws {@link JdbiException} with the driver's
     * exception, or if there are more rows.
     */
    public <T> Optional<T> one(RowReader<T> reader) {
        return run(statement -> {
            statement.execute();
            try (ResultSet rows = statement.getResultSet()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                Optional<T> row = Optional.ofNullable(reader.read(rows));
                // SQLite commits when the last row was read: a failure is to be seen.
                if (rows.next()) {
                    throw new SQLException("more than one row");
                }
                return row;
            }
        });
    }

    /** The rows that the statement answers with, in their order; throws {@link JdbiException} with the driver's exception. */
    public <T> List<T> all(RowReader<T> reader) {
        return run(statement -> {
            statement.execute();
            try (ResultSet rows = statement.getResultSet()) {
                List<T> all = new ArrayList<>();
                while (rows.next()) {
                    all.add(Objects.requireNonNull(reader.read(rows)));
                }
                return all;
            }
        });
    }

    /** Whether a row was changed: by the count, or by the rows of the answer where a dialect makes the update a query. */
    public boolean changesARow() {
        return run(statement -> {
            statement.execute();
            try (ResultSet rows = statement.getResultSet()) {
                return rows == null ? statement.getUpdateCount() > 0 : rows.next();
            }
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

    /**
     * Runs the same update with the parameters of each of some runs, in one transaction on the connection of the first.
     *
     * @param runs of one text, at least one
     * @return how many rows each has changed, as far as the driver tells
     */
    public static int[] changedTogether(List<DirectStatement> runs) {
        DirectStatement first = runs.get(0);
        return first.run(statement -> {
            first.connection.setAutoCommit(false);
            try {
                for (DirectStatement run : runs) {
                    run.bound(statement).addBatch();
                }
                int[] changed = statement.executeBatch();
                first.connection.commit();
                first.connection.setAutoCommit(true);
                return changed;
            } catch (Throwable failure) {
                first.undo(statement, failure);
                throw failure;
            }
        });
    }

    /** The statement may be kept: what was added to it must not run with the next batch. */
    private void undo(PreparedStatement statement, Throwable failure) {
        try {
            statement.clearBatch();
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException second) {
            failure.addSuppressed(second);
        }
    }

    private <T> T run(Run<T> run) {
        return run(Statement.NO_GENERATED_KEYS, run);
    }

    private <T> T run(int generatedKeys, Run<T> run) {
        String text = sql.getSql();
        try {
            if (kept == null) {
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
