// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.spi.SafetyLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * SQLite: one writer at a time in all processes, so one connection of ours is enough. Its clock has milliseconds, and
 * stands still within a statement.
 */
public final class SqliteDialect implements Dialect {
    private static final int BUSY = 5;
    private static final int LOCKED = 6;

    /** What the log shrinks to after somebody's long read let it grow, in bytes. */
    private static final int LARGEST_IDLE_LOG = 8 << 20;

    @Override
    public String product() {
        return "SQLite";
    }

    @Override
    public String driver() {
        return "org.xerial:sqlite-jdbc";
    }

    /** The clock is rounded, because a double of seconds cannot hold all milliseconds. */
    @Override
    public String fill(String template) {
        return template.replace("{now}", "(cast(round(unixepoch('subsec') * 1000) as integer) * 1000)")
                .replace("{max}", "max")
                .replace("{long}", "integer")
                .replace("{update}", "update")
                .replace("{delete}", "delete from")
                .replace("{from}", "")
                .replace("{using}", "");
    }

    @Override
    public long clockStepMicros() {
        return 1000;
    }

    @Override
    public Optional<String> acquire() {
        return Optional.of("""
                insert into {table} as t
                  (lock_key, lock_name, owner, label, fence, counter, version, acquired_us, expires_us, lease_us, left_us)
                select :key, :name, :owner, :label, f, f + :tokens - 1, 1, n, n + :lease, :lease, 0
                  from (select n, {first} as f from (select {now} as n))
                 where true
                on conflict (lock_key) do update set
                  owner = excluded.owner, label = excluded.label, expires_us = excluded.expires_us,
                  lease_us = excluded.lease_us, version = t.version + 1, revoked = null,
                  fence = case when {again} then t.fence else max(t.counter + 1, excluded.fence) end,
                  counter = case when {again} then t.counter else max(t.counter + :tokens, excluded.counter) end,
                  acquired_us = case when {again} then t.acquired_us else excluded.acquired_us end
                where {grantable}
                returning fence""");
    }

    /** There is one lock for the whole file, and whoever writes has it until the commit. */
    @Override
    public String guard() {
        return "update {table} set fence = fence where lock_key = ? and fence <= ?";
    }

    @Override
    public boolean recordsGrants() {
        return false;
    }

    @Override
    public int callThreads() {
        return 1;
    }

    /** With a write-ahead log readers and the writer do not wait for each other, and no commit waits for the disk. */
    @Override
    public void prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = " + LOCK_WAIT_MILLIS);
            statement.execute("pragma journal_mode = wal");
            statement.execute("pragma synchronous = normal");
            statement.execute("pragma journal_size_limit = " + LARGEST_IDLE_LOG);
        }
    }

    @Override
    public boolean isInTheWay(SQLException failure) {
        int primaryCode = failure.getErrorCode() & 0xff;
        return primaryCode == BUSY || primaryCode == LOCKED;
    }

    @Override
    public SafetyLevel safetyLevel(Handle handle) {
        return SafetyLevel.DURABLE;
    }
}
