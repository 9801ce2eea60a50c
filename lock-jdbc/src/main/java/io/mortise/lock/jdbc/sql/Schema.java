// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** Creates the tables if they are missing, and checks them. */
public final class Schema {
    public static final String DEFAULT_TABLE = "mortise_locks";

    private static final String FOLDER = "/io/mortise/lock/jdbc/";

    private static final String CHECK = "select {columns}, revoked, released from {table} where 1 = 0";
    private static final String CHECK_GRANTS = "select lock_key, fence from {grants} where 1 = 0";
    private static final String TABLE_LABEL = "select label from {table} where lock_key = '~'";
    private static final String MAKE_TABLE_ROW = """
            insert into {table} (lock_key, label, fence, counter, version, acquired_us, expires_us, lease_us, left_us)
            select '~', :label, 0, 0, 0, 0, 0, 0, 0 from (select 1 as one) o
            where not exists (select 1 from {table} where lock_key = '~')""";

    private Schema() {}

    /**
     * Makes sure that the tables are there and have the columns that this version needs, and that all their clients tell the
     * ends of leases in the same way.
     *
     * @throws SQLException if the database fails
     */
    public static void open(Handle handle, TableSql sql) throws SQLException {
        TablePlace table = sql.place;
        RuntimeException missing = check(handle, sql);
        if (missing != null && sql.settings.createSchema()) {
            missing = create(handle, sql, missing);
            table.ensureNowhereElse(handle.getConnection(), sql.dialect);
        }
        if (missing != null) {
            Throwable cause = SqlFailures.clean(missing);
            throw new LockConfigurationException(
                    "the table " + table + " is missing or not that of this version: "
                            + SqlFailures.firstSentence(cause)
                            + ". Its SQL is the resource io/mortise/lock/jdbc/" + sql.dialect.schema()
                            + "; mortise.createSchema=true makes it if it is missing. One of another version must be"
                            + " dropped, or another named by mortise.table",
                    cause);
        }
        String label = label(handle, sql);
        if (!label.equals(sql.expiry.label)) {
            throw new LockConfigurationException(
                    "the clients of the table " + table
                            + (label.equals(ExpiryMode.BY_WATCHING.label) ? " have" : " have not")
                            + " mortise.clockFree=true, which all of them must have or none; name another table by mortise.table");
        }
    }

    /** Two clients may write it at once, and one of them fail. */
    private static String label(Handle handle, TableSql sql) {
        try {
            handle.createUpdate(sql.of(MAKE_TABLE_ROW))
                    .bind("label", sql.expiry.label)
                    .execute();
            return handle.createQuery(sql.of(TABLE_LABEL)).mapTo(String.class).one();
        } catch (JdbiException another) {
            return handle.createQuery(sql.of(TABLE_LABEL))
                    .mapTo(String.class)
                    .findOne()
                    .orElseThrow(() -> another);
        }
    }

    private static @Nullable RuntimeException check(Handle handle, TableSql sql) {
        try {
            handle.createQuery(sql.of(CHECK)).mapToMap().list();
            if (sql.dialect.recordsGrants()) {
                handle.createQuery(sql.of(CHECK_GRANTS)).mapToMap().list();
            }
            return null;
        } catch (JdbiException wrong) {
            return wrong;
        }
    }

    /** Two clients may do this at once, and one of them fail: what counts is whether the tables are there then. */
    private static @Nullable RuntimeException create(Handle handle, TableSql sql, RuntimeException missing) {
        RuntimeException why = missing;
        for (String statement : statements(sql)) {
            try {
                handle.execute(statement);
            } catch (JdbiException refused) {
                why = refused;
            }
        }
        return check(handle, sql) == null ? null : why;
    }

    /** The shipped SQL without comments, which some drivers take for parameters. */
    private static List<String> statements(TableSql sql) {
        try (InputStream resource = Schema.class.getResourceAsStream(FOLDER + sql.dialect.schema())) {
            if (resource == null) {
                throw new IllegalStateException("the resource " + sql.dialect.schema() + " is not in the jar");
            }
            String text = new String(resource.readAllBytes(), StandardCharsets.US_ASCII).replaceAll("(?m)--.*$", "");
            return List.of(text.strip()
                    .replace(DEFAULT_TABLE + "_grants", sql.place.grants())
                    .replace(DEFAULT_TABLE + " ", sql.place.locks() + " ")
                    .split(";"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
