// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.SafetyLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jdbi.v3.core.Handle;

/**
 * SQLite: one writer at a time in all processes, so one connection of ours is enough. Its clock has milliseconds, and
 * stands still within a statement.
 */
final class SqliteDialect implements Dialect {
    private static final int BUSY = 5;
    private static final int LOCKED = 6;

    @Override
    public String product() {
        return "SQLite";
    }

    /** Rounded, because a double of seconds cannot hold all milliseconds. */
    @Override
    public String now() {
        return "(cast(round(unixepoch('subsec') * 1000) as integer) * 1000)";
    }

    @Override
    public long clockStepMicros() {
        return 1000;
    }

    @Override
    public String greatest() {
        return "max";
    }

    @Override
    public String acquire() {
        return """
                insert into {table} as t (lock_key, lock_name, owner, label, fence, counter, acquired_us, expires_us, left_us)
                select :key, :name, :owner, :label, f, f + :tokens - 1, n, n + :lease, 0
                  from (select n, {first} as f from (select {now} as n))
                 where true
                on conflict (lock_key) do update set
                  owner = excluded.owner, label = excluded.label, expires_us = excluded.expires_us, revoked = null,
                  fence = case when {again} then t.fence else max(t.counter + 1, excluded.fence) end,
                  counter = case when {again} then t.counter else max(t.counter + :tokens, excluded.counter) end,
                  acquired_us = case when {again} then t.acquired_us else excluded.acquired_us end
                where {grantable}
                returning fence""";
    }

    @Override
    public String returning(String update, String columns) {
        return update + " returning " + columns;
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
        }
    }

    @Override
    public void check(Handle handle) {}

    @Override
    public boolean isInTheWay(SQLException failure) {
        int primaryCode = failure.getErrorCode() & 0xff;
        return primaryCode == BUSY || primaryCode == LOCKED;
    }

    @Override
    public SafetyLevel safetyLevel(Handle handle) {
        return SafetyLevel.DURABLE;
    }

    @Override
    public LeaseBounds leaseBounds(String url) {
        return LeaseBounds.WIDEST;
    }
}
