// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The SQL of MariaDB, used for MySQL too. Both are asked for their clock in UTC, because a session's own zone repeats
 * an hour each autumn.
 *
 * @param boundsStatements whether the wait of each statement can be bounded, in whole seconds
 */
public record MariaDbDialect(String product, String driver, String driverClass, boolean boundsStatements)
        implements Dialect {
    public static final Dialect MARIADB =
            new MariaDbDialect("MariaDB", "org.mariadb.jdbc:mariadb-java-client", "org.mariadb.jdbc.Driver", true);

    static final Dialect MYSQL =
            new MariaDbDialect("MySQL", "com.mysql:mysql-connector-j", "com.mysql.cj.jdbc.Driver", false);

    /** Lock time-out, deadlock, record changed since it was read, duplicate key. */
    private static final Set<Integer> IN_THE_WAY = Set.of(1205, 1213, 1020, 1062);

    private static final Map<Integer, Refusal> REFUSALS = Map.ofEntries(
            Map.entry(1146, Refusal.TABLE_MISSING),
            Map.entry(1054, Refusal.TABLE_UNFIT),
            Map.entry(1290, Refusal.READ_ONLY),
            Map.entry(1792, Refusal.READ_ONLY),
            Map.entry(1142, Refusal.NO_PERMISSION),
            Map.entry(1143, Refusal.NO_PERMISSION),
            Map.entry(1044, Refusal.NO_LOGIN),
            Map.entry(1045, Refusal.NO_LOGIN),
            Map.entry(1049, Refusal.NO_DATABASE),
            Map.entry(1114, Refusal.FULL));

    @Override
    public String driverUrl(String url) {
        return boundsStatements ? Dialect.super.driverUrl(url) : url;
    }

    @Override
    public boolean canRead(String driverUrl) {
        return driverUrl.matches("(?is)jdbc:[a-z]+:[a-z:-]*//.*");
    }

    @Override
    public Map<String, String> driverDefaults(Duration connectTimeout) {
        long millis = Math.max(1, Math.min(Integer.MAX_VALUE, connectTimeout.toMillis()));
        return Map.of(
                "connectTimeout",
                String.valueOf(millis),
                "socketTimeout",
                NO_ANSWER_SECONDS + "000",
                // MariaDB's server reads each statement of a connection once then, and not at each run.
                "useServerPrepStmts",
                String.valueOf(boundsStatements));
    }

    @Override
    public char quote() {
        return '`';
    }

    @Override
    public String homeSchema() {
        return "select database()";
    }

    @Override
    public String now() {
        return "timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6))";
    }

    @Override
    public Map<String, String> bounds() {
        return boundsStatements
                ? Map.of(
                        "wait", "set statement innodb_lock_wait_timeout = 1 for ",
                        "try", "set statement innodb_lock_wait_timeout = 0 for ")
                : Map.of();
    }

    @Override
    public Optional<String> acquire() {
        return Optional.empty();
    }

    /** The clock stands still within a statement. Its reading is the token, so that no column is read after it was set. */
    @Override
    public Optional<String> take() {
        return Optional.of("""
                {try}update {table} t, {grants} g
                set t.owner = :owner, t.label = :label, t.revoked = null, t.fence = last_insert_id({now}),
                    t.counter = {now} + :tokens - 1, t.version = t.version + 1, t.acquired_us = {now},
                    t.expires_us = {now} + :lease, t.lease_us = :lease, g.fence = {now}
                where t.lock_key = :key and g.lock_key = :key
                  and t.owner is null and (t.released is null or t.released <> :owner)
                  and t.counter < {now} and :lowest <= {now}""");
    }

    /** Each of the two has words that the other does not know. */
    @Override
    public Optional<String> sharing() {
        return Optional.of(boundsStatements ? "lock in share mode" : "for share");
    }

    @Override
    public int callThreads() {
        return 8;
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
        if (!boundsStatements) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set session innodb_lock_wait_timeout = 1");
            }
        }
    }

    @Override
    public String standby() {
        return "@@global.read_only";
    }

    @Override
    public boolean isInTheWay(SQLException failure) {
        return IN_THE_WAY.contains(failure.getErrorCode());
    }

    @Override
    public Optional<Refusal> refusal(SQLException failure) {
        return failure.getSQLState() == null
                ? Optional.empty()
                : Optional.ofNullable(REFUSALS.get(failure.getErrorCode()));
    }

    @Override
    public boolean isDurable(Session session) {
        return session.statement("select @@innodb_flush_log_at_trx_commit = 1")
                .one(row -> row.getBoolean(1))
                .orElseThrow();
    }

    @Override
    public String schema() {
        return "schema/mariadb.sql";
    }
}
