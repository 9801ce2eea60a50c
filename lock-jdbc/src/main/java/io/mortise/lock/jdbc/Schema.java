// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.LockConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** The table: made when it is missing, and checked. */
final class Schema {
    static final String DEFAULT_TABLE = "mortise_locks";
    private static final Pattern TABLE = Pattern.compile("[A-Za-z_]\\w{0,62}(\\.[A-Za-z_]\\w{0,62})?");

    private Schema() {}

    /** A name that can stand in SQL as it is. */
    static String checkedName(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new LockConfigurationException("the table name '" + table
                    + "' is not usable: letters, digits and underscores, at most 63, perhaps after a schema and a dot");
        }
        return table;
    }

    /** Makes sure that the table is there and has the columns that this version needs. */
    static void open(Handle handle, Dialect dialect, Statements sql, String table, boolean create) {
        RuntimeException missing = check(handle, sql);
        if (missing != null && create) {
            create(handle, dialect, table);
            missing = check(handle, sql);
        }
        if (missing != null) {
            Throwable cause = Failures.clean(missing);
            throw new LockConfigurationException(
                    "the table " + table + " is missing or not that of this version: " + Failures.firstSentence(cause)
                            + ". Its SQL is the resource io/mortise/lock/jdbc/" + dialect.schema()
                            + "; mortise.createSchema=true makes it if it is missing",
                    cause);
        }
        handle.execute(sql.tableRow);
    }

    private static @Nullable RuntimeException check(Handle handle, Statements sql) {
        try {
            handle.createQuery(sql.check).mapToMap().list();
            return null;
        } catch (JdbiException wrong) {
            return wrong;
        }
    }

    private static void create(Handle handle, Dialect dialect, String table) {
        try {
            handle.execute(text(dialect).replace(DEFAULT_TABLE, table));
        } catch (JdbiException refused) {
            Throwable cause = Failures.clean(refused);
            throw new LockConfigurationException(
                    "the table " + table + " is missing and cannot be made: " + Failures.firstSentence(cause), cause);
        }
    }

    /** The shipped SQL, for the table's usual name, without comments: some drivers take them for parameters. */
    static String text(Dialect dialect) {
        try (InputStream resource = Schema.class.getResourceAsStream(dialect.schema())) {
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
