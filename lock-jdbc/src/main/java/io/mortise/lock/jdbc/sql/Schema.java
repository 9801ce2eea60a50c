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
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.JdbiException;

/** Creates the tables if they are missing, and checks them. */
public final class Schema {
    public static final String DEFAULT_TABLE = "mortise_locks";

    private static final String FOLDER = "/io/mortise/lock/jdbc/";

    private static final String CHECK = "select {columns}, revoked, released from {table} where 1 = 0";
    private static final String CHECK_GRANTS = "select lock_key, fence from {grants} where 1 = 0";
    private static final String CHECK_QUEUE = """
            select lock_key, place, owner, label, lease_us, tokens, token_floor, channel, waiter, called from {queue} where 1 = 0""";
    private static final String TABLE_LABEL = "select label from {table} where lock_key = '~'";
    private static final String MAKE_TABLE_ROW = """
            insert into {table} (lock_key, label, fence, counter, version, acquired_us, expires_us, lease_us, left_us)
            select '~', :label, 0, 0, 0, 0, 0, 0, 0 from (select 1 as one) o
            where not exists (select 1 from {table} where lock_key = '~')""";

    /** They change nothing, and fail where the user may not do what the calls to come will do. */
    private static final List<String> MAY_WRITE = List.of(
            "insert into {table} ({columns}) select {columns} from {table} where 1 = 0",
            "update {table} set version = version where 1 = 0",
            "delete from {table} where 1 = 0");

    private static final List<String> MAY_WRITE_GRANTS = List.of(
            "insert into {grants} (lock_key, fence) select lock_key, fence from {grants} where 1 = 0",
            "update {grants} set fence = fence where 1 = 0",
            "delete from {grants} where 1 = 0");

    private static final List<String> MAY_WRITE_QUEUE = List.of(
            "insert into {queue} select * from {queue} where 1 = 0",
            "update {queue} set called = called where 1 = 0",
            "delete from {queue} where 1 = 0");

    private Schema() {}

    /**
     * Makes sure that the tables are there, that they have the columns that this version needs, that the user may write them,
     * and that all their clients tell the ends of leases in the same way.
     *
     * @throws LockConfigurationException if it is not so
     * @throws SQLException if the database fails
     */
    public static void open(Session session, TableSql sql) throws SQLException {
        Optional<JdbiException> missing = missing(session, sql);
        if (missing.isPresent()) {
            create(session, sql, missing.get());
            sql.place.ensureNowhereElse(session.connection(), sql.dialect);
        }
        String label = label(session, sql);
        if (!label.equals(sql.expiry.label)) {
            throw new LockConfigurationException(
                    "the clients of the table " + sql.place
                            + (label.equals(ExpiryMode.BY_WATCHING.label) ? " have" : " have not")
                            + " mortise.clockFree=true, which all of them must have or none; name another table by mortise.table");
        }
        if (sql.dialect.hasPermissions()) {
            MAY_WRITE.forEach(statement -> checkRight(session, sql, statement));
        }
        if (sql.dialect.recordsGrants()) {
            MAY_WRITE_GRANTS.forEach(statement -> checkRight(session, sql, statement));
        }
        if (sql.hasQueue()) {
            MAY_WRITE_QUEUE.forEach(statement -> checkRight(session, sql, statement));
        }
    }

    /** One that has to wait for another is refused by nobody. */
    private static void checkRight(Session session, TableSql sql, String statement) {
        try {
            session.statement(sql.of(statement)).changesARow();
        } catch (JdbiException failure) {
            if (!isInTheWay(failure, sql)) {
                throw failure;
            }
        }
    }

    private static boolean isInTheWay(JdbiException failure, TableSql sql) {
        SQLException driver = SqlFailures.driverException(failure);
        return driver != null && sql.dialect.isInTheWay(driver);
    }

    /** Only the first client writes it. Two may do so at once, and one of them fail. */
    private static String label(Session session, TableSql sql) {
        Optional<String> written = writtenLabel(session, sql);
        if (written.isPresent()) {
            return written.get();
        }
        Optional<JdbiException> failed = Optional.empty();
        try {
            session.statement(sql.of(MAKE_TABLE_ROW))
                    .bind("label", sql.expiry.label)
                    .changesARow();
        } catch (JdbiException another) {
            if (SqlFailures.refusal(another).isPresent()) {
                throw another;
            }
            failed = Optional.of(another);
        }
        Optional<JdbiException> why = failed;
        return writtenLabel(session, sql)
                .orElseThrow(() -> why.orElseThrow(() -> new IllegalStateException(
                        "the row of the table " + sql.place + " was deleted while it was opened")));
    }

    private static Optional<String> writtenLabel(Session session, TableSql sql) {
        return session.statement(sql.of(TABLE_LABEL)).one(row -> row.getString(1));
    }

    /** For the sake of what the database says of it. */
    private static void query(Session session, String query) {
        session.statement(query).all(row -> row.getString(1));
    }

    /** What the database says of a table that is not there; empty if both are and fit. */
    private static Optional<JdbiException> missing(Session session, TableSql sql) {
        try {
            query(session, sql.of(CHECK));
            if (sql.dialect.recordsGrants()) {
                query(session, sql.of(CHECK_GRANTS));
            }
            if (sql.hasQueue()) {
                query(session, sql.of(CHECK_QUEUE));
            }
            return Optional.empty();
        } catch (JdbiException failure) {
            Optional<Refusal> refusal = SqlFailures.refusal(failure);
            if (refusal.equals(Optional.of(Refusal.TABLE_MISSING))) {
                return Optional.of(failure);
            }
            if (refusal.equals(Optional.of(Refusal.TABLE_UNFIT))) {
                throw unfit(sql, "is not that of this version", failure, "Name another by mortise.table");
            }
            throw failure; // of a connection that broke, this says nothing of the table
        }
    }

    /** Two clients may do this at once, and one of them fail: what counts is whether the tables are there then. */
    private static void create(Session session, TableSql sql, JdbiException missing) {
        String resource = "Its SQL is the resource io/mortise/lock/jdbc/" + sql.dialect.schema();
        if (!sql.settings.createSchema()) {
            throw unfit(sql, "is missing", missing, resource + "; mortise.createSchema=true makes it");
        }
        JdbiException why = missing;
        for (String statement : statements(sql)) {
            try {
                session.statement(statement).changesARow();
            } catch (JdbiException refused) {
                why = refused;
            }
        }
        if (missing(session, sql).isEmpty()) {
            return;
        }
        Optional<Refusal> refusal = SqlFailures.refusal(why);
        if (isInTheWay(why, sql)
                || refusal.filter(Set.of(Refusal.FULL, Refusal.READ_ONLY)::contains)
                        .isPresent()) {
            throw why;
        }
        throw unfit(sql, "is missing and cannot be made", why, resource + ", for a user who may make it");
    }

    /** Thrown with what the database said. */
    private static LockConfigurationException unfit(TableSql sql, String what, JdbiException failure, String whatToDo) {
        Throwable cause = SqlFailures.clean(failure);
        return new LockConfigurationException(
                "the table " + sql.place + " " + what + ": " + SqlFailures.firstSentence(cause) + ". " + whatToDo,
                cause);
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
                    .replace(DEFAULT_TABLE + "_queue", sql.place.queue())
                    .replace(DEFAULT_TABLE + " ", sql.place.locks() + " ")
                    .split(";"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
