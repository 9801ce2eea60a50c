// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.SafetyLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * H2, in memory, in a file or on a server. Its clock stands still within a transaction, and every call is a transaction.
 */
public final class H2Dialect implements Dialect {
    /** AcquireStrategy over from a killed process that served an AUTO_SERVER database takes about four seconds. */
    private static final Duration SHORTEST_AUTO_SERVER_LEASE = Duration.ofSeconds(15);

    /** Duplicate key, deadlock, lock time-out, concurrent update of one row. */
    private static final Set<Integer> IN_THE_WAY = Set.of(23505, 40001, 50200, 90131);

    @Override
    public String product() {
        return "H2";
    }

    @Override
    public String driver() {
        return "com.h2database:h2";
    }

    @Override
    public String fill(String template) {
        return template.replace("{now}", "cast(extract(epoch from current_timestamp(6)) * 1000000 as bigint)")
                .replace("{max}", "greatest")
                .replace("{long}", "bigint")
                .replace("{update}", "update")
                .replace("{delete}", "delete from")
                .replace("{from}", "")
                .replace("{using}", "");
    }

    @Override
    public long clockStepMicros() {
        return 1;
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
                      when matched and {grantable} then update set
                        owner = excluded.owner, label = :label, expires_us = excluded.expires_us, lease_us = :lease,
                        version = t.version + 1, revoked = null,
                        fence = case when {again} then t.fence else greatest(t.counter + 1, excluded.fence) end,
                        counter = case when {again} then t.counter
                                  else greatest(t.counter + 1, excluded.fence) + :tokens - 1 end,
                        acquired_us = case when {again} then t.acquired_us else excluded.acquired_us end
                      when not matched then insert
                        (lock_key, lock_name, owner, label, fence, counter, version, acquired_us, expires_us, lease_us,
                         left_us)
                        values (:key, :name, excluded.owner, :label, excluded.fence, excluded.fence + :tokens - 1, 1,
                                excluded.acquired_us, excluded.expires_us, :lease, 0))) granted
                  on g.lock_key = granted.lock_key
                  when matched then update set fence = granted.fence
                  when not matched then insert (lock_key, fence) values (granted.lock_key, granted.fence))""");
    }

    @Override
    public String guard() {
        return "select fence from {grants} where lock_key = ? and fence <= ? for update";
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
    public void check(Handle handle) {
        for (String collation : settings(handle, "COLLATION")) {
            if (!collation.equals("OFF")) {
                throw new LockConfigurationException("this H2 database compares strings by the collation " + collation
                        + "; locks need a database without (SET COLLATION OFF)");
            }
        }
        if (isPersistent(handle) && !commitsAtOnce(handle)) {
            throw new LockConfigurationException("this H2 database answers commits before they are on disk, so that a"
                    + " crash would forget locks that were granted; put WRITE_DELAY=0 into the URL of its data source");
        }
    }

    @Override
    public boolean isInTheWay(SQLException failure) {
        return IN_THE_WAY.contains(failure.getErrorCode());
    }

    @Override
    public SafetyLevel safetyLevel(Handle handle) {
        return isPersistent(handle) ? SafetyLevel.DURABLE : SafetyLevel.SINGLE_STORE;
    }

    @Override
    public LeaseBounds leaseBounds(String url) {
        return url.toUpperCase(Locale.ROOT).contains(";AUTO_SERVER=TRUE")
                ? new LeaseBounds(SHORTEST_AUTO_SERVER_LEASE, LeaseBounds.WIDEST.longest())
                : LeaseBounds.WIDEST;
    }

    private static boolean isPersistent(Handle handle) {
        return handle.createQuery("select database_path()")
                .mapTo(String.class)
                .findOne()
                .isPresent();
    }

    private static boolean commitsAtOnce(Handle handle) {
        List<String> delays = settings(handle, "WRITE_DELAY");
        return !delays.isEmpty() && delays.stream().allMatch("0"::equals);
    }

    /** A setting stands there twice if it was changed: as it was stored, and as it is. */
    private static List<String> settings(Handle handle, String name) {
        return handle.createQuery("select setting_value from information_schema.settings where setting_name = :name")
                .bind("name", name)
                .mapTo(String.class)
                .list();
    }
}
