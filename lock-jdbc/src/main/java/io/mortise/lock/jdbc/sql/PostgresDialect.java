// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.support.HostAndPort;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;

/**
 * The SQL of PostgreSQL. Settings go with each statement and end with it: a pooler between client and server may give
 * the next statement to another server process, and this process to another client.
 */
public final class PostgresDialect implements Dialect {
    /** Lock time-out, deadlock, serialization failure, duplicate key. */
    private static final Set<String> IN_THE_WAY = Set.of("55P03", "40P01", "40001", "23505");

    private static final Map<String, Refusal> REFUSALS = Map.of(
            "42P01", Refusal.TABLE_MISSING,
            "3F000", Refusal.TABLE_MISSING,
            "42703", Refusal.TABLE_UNFIT,
            "25006", Refusal.READ_ONLY,
            "0A000", Refusal.READ_ONLY, // a standby, asked for a table that is not logged
            "42501", Refusal.NO_PERMISSION,
            "28P01", Refusal.NO_LOGIN,
            "28000", Refusal.NO_LOGIN,
            "3D000", Refusal.NO_DATABASE,
            "53100", Refusal.FULL);

    private static final Pattern SECRET = Pattern.compile("(?i)(?<=[?&])(password|sslpassword)=([^&]*)&?");
    private static final Pattern FORM = Pattern.compile(
            "jdbc:postgresql:(?://(?<hosts>[^/?]*)/[^/?]*|(?!//)[^?]*)(?:\\?.*)?",
            Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
    private static final int DEFAULT_PORT = 5432;

    private static final String BOUNDED =
            "(select set_config('lock_timeout', '" + LOCK_WAIT_MILLIS + "', true)) bounded";

    /** The same for a statement whose commit does not wait for the disk: a crash may undo it, with all that follow. */
    private static final String UNFLUSHED =
            BOUNDED.replace("true))", "true), set_config('synchronous_commit', 'off', true))");

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public String driver() {
        return "org.postgresql:postgresql";
    }

    /** The driver logs a URL that it cannot read: it gets none, and none with a password. */
    @Override
    public String driverUrl(String url) {
        Matcher form = FORM.matcher(Dialect.super.driverUrl(url));
        if (!form.matches()) {
            throw new LockConfigurationException(
                    "a PostgreSQL URL is written jdbc:postgresql://host:port/database, with no"
                            + " more slashes; in the name of a database, write / as %2F");
        }
        String hosts = form.group("hosts");
        if (hosts != null && !hosts.isEmpty()) {
            HostAndPort.parseAll(List.of(hosts.split(",", -1)), DEFAULT_PORT);
        }
        return SECRET.matcher(url).replaceAll("");
    }

    @Override
    public Map<String, String> secretOptions(String url) {
        Map<String, String> found = new HashMap<>();
        Matcher secret = SECRET.matcher(url);
        while (secret.find()) {
            try {
                found.put(secret.group(1), URLDecoder.decode(secret.group(2), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException wrong) {
                throw new LockConfigurationException(
                        "a percent escape in the password of the PostgreSQL URL is wrong; write a percent sign as %25");
            }
        }
        return found;
    }

    @Override
    public String driverClass() {
        return "org.postgresql.Driver";
    }

    @Override
    public Map<String, String> driverDefaults(Duration connectTimeout) {
        long seconds = Math.max(1, connectTimeout.plusMillis(999).toSeconds());
        return Map.of(
                "connectTimeout",
                String.valueOf(Math.min(Integer.MAX_VALUE / 1000, seconds)),
                "socketTimeout",
                String.valueOf(NO_ANSWER_SECONDS),
                "tcpKeepAlive",
                "true",
                "ApplicationName",
                "mortise");
    }

    @Override
    public Map<String, String> listenerDefaults() {
        return Map.of("socketFactory", "io.mortise.lock.jdbc.notification.ListenerSockets");
    }

    @Override
    public String stored(String name, Connection connection) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Where its search path leads a connection, which is not the same for all users. */
    @Override
    public String homeSchema() {
        return """
                select cast(coalesce(
                  (select n.nspname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                    where c.oid = pg_catalog.to_regclass(?) and c.relpersistence <> 't'),
                  pg_catalog.current_schema()) as text)""";
    }

    /** The catalogue shows also what the user may not read. */
    @Override
    public Optional<String> schemasWithTable() {
        return Optional.of("""
                select cast(n.nspname as text)
                from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                where c.relname = ? and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
                order by 1""");
    }

    @Override
    public String now() {
        return "cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)";
    }

    @Override
    public Map<String, String> bounds() {
        return Map.of(
                "from", "from " + BOUNDED,
                "using", "using " + BOUNDED,
                "try", "(select set_config('lock_timeout', '" + TRY_WAIT_MILLIS + "', true)) bounded",
                "unflushed", UNFLUSHED);
    }

    @Override
    public boolean hasQueue() {
        return true;
    }

    /** An update that is refused locks nothing; an insert that comes too late leaves no error in the server's log. */
    @Override
    public Optional<String> acquire() {
        return Optional.of("""
                with excluded as materialized (
                  select n as acquired_us, n + cast(:lease as bigint) as expires_us, {first} as fence,
                         cast(:owner as text) as owner
                    from (select {now} as n from {try}) clock),
                taken as (
                  update {table} t set {grant} from excluded where t.lock_key = :key and {grantable}
                  returning t.lock_key, t.fence),
                made as (
                  insert into {table} ({columns})
                  select :key, :name, owner, :label, fence, fence + :tokens - 1, 1, acquired_us, expires_us, :lease, 0
                    from excluded
                    where not exists (select 1 from taken) and not exists (select 1 from {table} where lock_key = :key)
                  on conflict (lock_key) do nothing
                  returning lock_key, fence)
                insert into {grants} as g (lock_key, fence)
                select lock_key, fence from taken union all select lock_key, fence from made
                on conflict (lock_key) do update set fence = excluded.fence
                returning fence""");
    }

    /** Most of what {@link #acquire} takes is spent on planning what such a lock does not need. */
    @Override
    public Optional<String> take() {
        return Optional.of("""
                with clock as materialized (select {now} as n from {try}),
                taken as (
                  update {table} t set
                    owner = :owner, label = :label, revoked = null, version = t.version + 1,
                    fence = greatest(n, :lowest, t.counter + 1),
                    counter = greatest(n, :lowest, t.counter + 1) + :tokens - 1,
                    acquired_us = n, expires_us = n + cast(:lease as bigint), lease_us = :lease
                  from clock
                  where t.lock_key = :key and t.owner is null and (t.released is null or t.released <> :owner)
                  returning t.fence)
                update {grants} g set fence = taken.fence from taken where g.lock_key = :key
                returning g.fence""");
    }

    /**
     * A release may be forgotten by a crash: the lease then ends the lock. What follows it in the log is never kept
     * without it.
     */
    @Override
    public String releasing(String update) {
        return "with freed as (" + update.replace("{from}", "from {unflushed}")
                + " returning lock_key) select pg_notify('{channel}', lock_key) from freed";
    }

    /**
     * A pooler that changes the server process between transactions forbids it, and shows by the number of that process: it
     * makes one up when it is connected to.
     */
    @Override
    public boolean canListen(Session session) throws SQLException {
        Connection connection = session.connection();
        try {
            if (!connection.isWrapperFor(PGConnection.class)) {
                return false;
            }
        } catch (NoClassDefFoundError anotherDriver) {
            return false;
        }
        int process = session.statement("select pg_backend_pid()")
                .one(row -> row.getInt(1))
                .orElseThrow();
        return process == connection.unwrap(PGConnection.class).getBackendPID();
    }

    @Override
    public Optional<String> sharing() {
        return Optional.of("for share");
    }

    @Override
    public int callThreads() {
        return 8;
    }

    @Override
    public String standby() {
        return "pg_is_in_recovery()";
    }

    @Override
    public boolean isInTheWay(SQLException failure) {
        return IN_THE_WAY.contains(String.valueOf(failure.getSQLState()));
    }

    /** Its driver has states and no codes. */
    @Override
    public Optional<Refusal> refusal(SQLException failure) {
        return failure.getErrorCode() == 0 && failure.getSQLState() != null
                ? Optional.ofNullable(REFUSALS.get(failure.getSQLState()))
                : Optional.empty();
    }

    @Override
    public boolean isDurable(Session session) {
        return session.statement("select current_setting('fsync') = 'on'"
                        + " and current_setting('synchronous_commit') <> 'off'")
                .one(row -> row.getBoolean(1))
                .orElseThrow();
    }
}
