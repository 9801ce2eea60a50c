// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.spi.SafetyLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;

/**
 * PostgreSQL. TableSettings go with each statement and end with it: a pooler between may give the next one to another server
 * process, and this one to another client.
 */
public final class PostgresDialect implements Dialect {
    /** Lock time-out, deadlock, serialization failure, duplicate key. */
    private static final Set<String> IN_THE_WAY = Set.of("55P03", "40P01", "40001", "23505");

    /** The server's limit for names. */
    private static final int LONGEST_NAME = 63;

    private static final String BOUNDED =
            "(select set_config('lock_timeout', '" + LOCK_WAIT_MILLIS + "', true)) bounded";

    private static final String BOUNDED_TRY = BOUNDED.replace("" + LOCK_WAIT_MILLIS, "" + TRY_WAIT_MILLIS);

    /**
     * A release may be forgotten by a crash: the lease then ends the lock. What follows it in the log is never kept
     * without it.
     */
    private static final String BOUNDED_RELEASE =
            BOUNDED.replace("true))", "true), set_config('synchronous_commit', 'off', true))");

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public String driver() {
        return "org.postgresql:postgresql";
    }

    @Override
    public String fill(String template) {
        return template.replace("{now}", "cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)")
                .replace("{max}", "greatest")
                .replace("{long}", "bigint")
                .replace("{update}", "update")
                .replace("{delete}", "delete from")
                .replace("{from}", "from " + BOUNDED)
                .replace("{using}", "using " + BOUNDED);
    }

    @Override
    public long clockStepMicros() {
        return 1;
    }

    /** An update that is refused locks nothing; an insert that comes too late leaves no error in the server's log. */
    @Override
    public Optional<String> acquire() {
        return Optional.of("""
                with excluded as materialized (
                  select n as acquired_us, n + cast(:lease as bigint) as expires_us, {first} as fence,
                         cast(:owner as text) as owner
                    from (select {now} as n from {bounded}) clock),
                taken as (
                  update {table} t set
                    owner = excluded.owner, label = :label, expires_us = excluded.expires_us, lease_us = :lease,
                    version = t.version + 1, revoked = null,
                    fence = case when {again} then t.fence else greatest(t.counter + 1, excluded.fence) end,
                    counter = case when {again} then t.counter
                              else greatest(t.counter + 1, excluded.fence) + :tokens - 1 end,
                    acquired_us = case when {again} then t.acquired_us else excluded.acquired_us end
                  from excluded where t.lock_key = :key and {grantable}
                  returning t.lock_key, t.fence),
                made as (
                  insert into {table}
                    (lock_key, lock_name, owner, label, fence, counter, version, acquired_us, expires_us, lease_us, left_us)
                  select :key, :name, owner, :label, fence, fence + :tokens - 1, 1, acquired_us, expires_us, :lease, 0
                    from excluded where not exists (select 1 from {table} where lock_key = :key)
                  on conflict (lock_key) do nothing
                  returning lock_key, fence)
                insert into {grants} as g (lock_key, fence)
                select lock_key, fence from taken union all select lock_key, fence from made
                on conflict (lock_key) do update set fence = excluded.fence
                returning fence""".replace("{bounded}", BOUNDED_TRY));
    }

    @Override
    public String releasing(String update, String table) {
        return "with freed as (" + update.replace("{from}", "from " + BOUNDED_RELEASE)
                + " returning lock_key) select pg_notify('" + channel(table) + "', lock_key) from freed";
    }

    /**
     * A pooler that changes the server process between transactions forbids it, and shows by the number of that process: it
     * makes one up when it is connected to.
     */
    @Override
    public Optional<String> notificationChannel(Handle handle, String table) throws SQLException {
        Connection connection = handle.getConnection();
        try {
            if (!connection.isWrapperFor(PGConnection.class)) {
                return Optional.empty();
            }
        } catch (NoClassDefFoundError anotherDriver) {
            return Optional.empty();
        }
        int process = handle.createQuery("select pg_backend_pid()")
                .mapTo(Integer.class)
                .one();
        return process == connection.unwrap(PGConnection.class).getBackendPID()
                ? Optional.of(channel(table))
                : Optional.empty();
    }

    /** Where releases in a table are told. Two tables may share one: needless wake-ups are harmless. */
    private static String channel(String table) {
        String name = table.toLowerCase(Locale.ROOT);
        return name.substring(Math.max(0, name.length() - LONGEST_NAME));
    }

    @Override
    public String guard() {
        return "select fence from {grants} where lock_key = ? and fence <= ? for share";
    }

    @Override
    public int callThreads() {
        return 8;
    }

    @Override
    public void prepare(Connection connection) {}

    @Override
    public boolean isInTheWay(SQLException failure) {
        return IN_THE_WAY.contains(String.valueOf(failure.getSQLState()));
    }

    /** A server that answers commits before they are on disk forgets the last ones in a crash. */
    @Override
    public SafetyLevel safetyLevel(Handle handle) {
        boolean durable = handle.createQuery("select current_setting('fsync') = 'on'"
                        + " and current_setting('synchronous_commit') <> 'off'")
                .mapTo(Boolean.class)
                .one();
        return durable ? SafetyLevel.DURABLE : SafetyLevel.SINGLE_STORE;
    }
}
