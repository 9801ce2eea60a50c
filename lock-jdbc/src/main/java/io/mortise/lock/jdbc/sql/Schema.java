// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** Creates the tables if they are missing, and checks them. */
public final class Schema {
    public static final String DEFAULT_TABLE = "mortise_locks";

    /** What the name of the table of grants ends with. */
    public static final String GRANTS = "_grants";

    /** The second name must still fit into 63 characters, the least that any of the databases allows. */
    private static final Pattern TABLE = Pattern.compile("([A-Za-z_]\\w{0,62}\\.)?[A-Za-z_]\\w{0,55}");

    private static final String FOLDER = "/io/mortise/lock/jdbc/";

    private static final String CHECK = "select {columns}, revoked, released from {table} where 1 = 0";
    private static final String CHECK_GRANTS = "select lock_key, fence from {grants} where 1 = 0";
    private static final String TABLE_LABEL = "select label from {table} where lock_key = '~'";
    private static final String MAKE_TABLE_ROW = """
            insert into {table} (lock_key, label, fence, counter, version, acquired_us, expires_us, lease_us, left_us)
            select '~', :label, 0, 0, 0, 0, 0, 0, 0 from (select 1 as one) o
            where not exists (select 1 from {table} where lock_key = '~')""";

    private Schema() {}

    /** A name that can stand in SQL as it is. */
    public static String checkedName(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new LockConfigurationException("the table name '" + table
                    + "' is not usable: letters, digits and underscores, at most 56, perhaps after a schema and a dot");
        }
        return table;
    }

    /**
     * Makes sure that the tables are there and have the columns that this version needs, and that all their clients tell the
     * ends of leases in the same way.
     */
    public static void open(Handle handle, TableSql sql) {
        String table = sql.settings.table();
        RuntimeException missing = check(handle, sql);
        if (missing != null && sql.settings.createSchema()) {
            missing = create(handle, sql, missing);
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
        for (String statement :
                text(sql.dialect).replace(DEFAULT_TABLE, sql.settings.table()).split(";")) {
            try {
                handle.execute(statement);
            } catch (JdbiException refused) {
                why = refused;
            }
        }
        return check(handle, sql) == null ? null : why;
    }

    /** The shipped SQL, for the table's usual name, without comments: some drivers take them for parameters. */
    private static String text(Dialect dialect) {
        try (InputStream resource = Schema.class.getResourceAsStream(FOLDER + dialect.schema())) {
            if (resource == null) {
                throw new IllegalStateException("the resource " + dialect.schema() + " is not in the jar");
            }
            return new String(resource.readAllBytes(), StandardCharsets.US_ASCII)
                    .replaceAll("(?m)--.*$", "")
                    .strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
