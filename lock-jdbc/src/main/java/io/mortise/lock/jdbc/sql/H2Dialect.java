// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.LeaseBounds;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The SQL of H2, in memory, in a file or on a server. Its clock stands still within a transaction, and every call is a
 * transaction.
 */
public final class H2Dialect implements Dialect {
    private static final String MEMORY = "jdbc:h2:mem:";
    private static final Pattern USER_INFO =
            Pattern.compile("^jdbc:h2:(?:tcp:|ssl:|//)[^;]*@", Pattern.CASE_INSENSITIVE);

    /** After a process that served an AUTO_SERVER database was killed, another takes over in about four seconds. */
    private static final Duration SHORTEST_AUTO_SERVER_LEASE = Duration.ofSeconds(15);

    /** Duplicate key, deadlock, lock time-out, concurrent update of one row. */
    private static final Set<Integer> IN_THE_WAY = Set.of(23505, 40001, 50200, 90131);

    private static final Map<Integer, Refusal> REFUSALS = Map.ofEntries(
            Map.entry(42102, Refusal.TABLE_MISSING),
            Map.entry(42103, Refusal.TABLE_MISSING),
            Map.entry(42104, Refusal.TABLE_MISSING),
            Map.entry(90079, Refusal.TABLE_MISSING),
            Map.entry(42122, Refusal.TABLE_UNFIT),
            Map.entry(90097, Refusal.READ_ONLY),
            Map.entry(90040, Refusal.NO_PERMISSION),
            Map.entry(90096, Refusal.NO_PERMISSION),
            Map.entry(28000, Refusal.NO_LOGIN),
            Map.entry(90146, Refusal.NO_DATABASE),
            Map.entry(90149, Refusal.NO_DATABASE),
            Map.entry(90011, Refusal.URL_UNFIT),
            Map.entry(90046, Refusal.URL_UNFIT),
            Map.entry(90113, Refusal.URL_UNFIT));

    @Override
    public String product() {
        return "H2";
    }

    @Override
    public String plainUrl() {
        return "jdbc:h2:mem:mortise";
    }

    @Override
    public String driver() {
        return "com.h2database:h2";
    }

    @Override
    public String driverClass() {
        return "org.h2.Driver";
    }

    /**
     * The URL of a database that keeps what it was told. One in memory outlives its last connection, one on disk writes each
     * commit before it answers. A setting in the URL holds for each opening of the database, also when a surviving process
     * takes over its file; SET alone does not.
     */
    @Override
    public String driverUrl(String url) {
        if (USER_INFO.matcher(url).find()) {
            throw new LockConfigurationException(
                    "the URL of an H2 database has no user and password before its host; write ;USER=…, and the password as ;PASSWORD=… or with"
                            + " mortise.passwordFile");
        }
        if (!url.regionMatches(true, 0, MEMORY, 0, MEMORY.length())) {
            return with("WRITE_DELAY=0", url);
        }
        if (url.substring(MEMORY.length()).split(";", 2)[0].isEmpty()) {
            throw new LockConfigurationException("every connection to " + MEMORY
                    + " has a database of its own, so no lock would exclude anybody; give it a name, as in " + MEMORY
                    + "locks");
        }
        return with("DB_CLOSE_DELAY=-1", url);
    }

    /** One in memory is nobody's by mistake. */
    @Override
    public String existingOnly(String driverUrl) {
        return driverUrl.regionMatches(true, 0, MEMORY, 0, MEMORY.length())
                ? driverUrl
                : with("IFEXISTS=TRUE", driverUrl);
    }

    /** The URL with a setting, unless it sets it already. */
    private static String with(String setting, String url) {
        String name = setting.substring(0, setting.indexOf('=') + 1);
        return url.toUpperCase(Locale.ROOT).contains(";" + name) ? url : url + ";" + setting;
    }

    @Override
    public LeaseBounds leaseBounds(String url) {
        return url.toUpperCase(Locale.ROOT).contains(";AUTO_SERVER=TRUE")
                ? new LeaseBounds(SHORTEST_AUTO_SERVER_LEASE, LeaseBounds.WIDEST.longest())
                : LeaseBounds.WIDEST;
    }

    /** Settings of the URL decide. */
    @Override
    public String stored(String name, Connection connection) throws SQLException {
        DatabaseMetaData rules = connection.getMetaData();
        if (rules.storesUpperCaseIdentifiers()) {
            return name.toUpperCase(Locale.ROOT);
        }
        return rules.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
    }

    @Override
    public String homeSchema() {
        return "select current_schema";
    }

    @Override
    public Optional<String> schemasWithTable() {
        return Optional.of(
                "select table_schema from information_schema.tables where table_name = ? order by table_schema");
    }

    @Override
    public String now() {
        return "datediff(microsecond, timestamp '1970-01-01 00:00:00', current_timestamp(6) at time zone 'UTC')";
    }

    /**
     * Where a guard keeps the grant from being recorded, H2 keeps the other half: the lease is the asker's then, but not the
     * lock. The table undoes it; where that fails too, the claim was not told that it holds, and is released.
     */
    @Override
    public Optional<String> acquire() {
        return Optional.of("""
                select fence from final table (
                  merge into {grants} g
                  using (
                    select lock_key, fence from final table (
                      merge into {table} t
                      using (select n as acquired_us, n + cast(:lease as bigint) as expires_us, {first} as fence,
                                    cast(:owner as varchar) as owner
                               from (select {now} as n)) excluded
                      on t.lock_key = :key
                      when matched and {grantable} then update set {grant}
                      when not matched then insert ({columns})
                        values (:key, :name, excluded.owner, :label, excluded.fence, excluded.fence + :tokens - 1, 1,
                                excluded.acquired_us, excluded.expires_us, :lease, 0))) granted
                  on g.lock_key = granted.lock_key
                  when matched then update set fence = granted.fence
                  when not matched then insert (lock_key, fence) values (granted.lock_key, granted.fence))""");
    }

    @Override
    public int callThreads() {
        return 2;
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout " + TRY_WAIT_MILLIS);
        }
    }

    /**
     * A commit must be on disk before it is answered, or a killed process takes grants with it; and the keys of the table
     * must compare as they are.
     */
    @Override
    public void check(Session session) {
        for (String collation : settings(session, "COLLATION")) {
            if (!collation.equals("OFF")) {
                throw new LockConfigurationException("this H2 database compares strings by the collation " + collation
                        + "; locks need a database without (SET COLLATION OFF)");
            }
        }
        if (isDurable(session) && !commitsAtOnce(session)) {
            throw new LockConfigurationException("this H2 database answers commits before they are on disk, so that a"
                    + " crash would forget locks that were granted; put WRITE_DELAY=0 into the URL of its data source");
        }
    }

    @Override
    public boolean isInTheWay(SQLException failure) {
        return IN_THE_WAY.contains(failure.getErrorCode());
    }

    @Override
    public Optional<Refusal> refusal(SQLException failure) {
        return Optional.ofNullable(REFUSALS.get(failure.getErrorCode()));
    }

    /** One on disk, as {@link #check} has made sure. */
    @Override
    public boolean isDurable(Session session) {
        return session.statement("select database_path()")
                .one(row -> row.getString(1))
                .isPresent();
    }

    private static boolean commitsAtOnce(Session session) {
        List<String> delays = settings(session, "WRITE_DELAY");
        return !delays.isEmpty() && delays.stream().allMatch("0"::equals);
    }

    /** A setting stands there twice if it was changed: as it was stored, and as it is. */
    private static List<String> settings(Session session, String name) {
        return session.statement("select setting_value from information_schema.settings where setting_name = :name")
                .bind("name", name)
                .all(row -> row.getString(1));
    }
}
