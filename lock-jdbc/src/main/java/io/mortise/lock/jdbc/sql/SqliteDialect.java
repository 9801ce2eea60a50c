// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;

/**
 * The SQL of SQLite. SQLite allows one writer at a time in all processes, so one connection of ours is enough. Its
 * clock has milliseconds, and stands still within a statement.
 */
public final class SqliteDialect implements Dialect {
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int ERROR = 1;
    private static final int IO_ERROR = 10;
    private static final Map<Integer, Refusal> REFUSALS =
            Map.of(8, Refusal.READ_ONLY, 13, Refusal.FULL, 26, Refusal.NOT_A_DATABASE);

    /** What the log shrinks to after somebody's long read let it grow, in bytes. */
    private static final int LARGEST_IDLE_LOG = 8 << 20;

    @Override
    public String product() {
        return "SQLite";
    }

    @Override
    public String plainUrl() {
        return "jdbc:sqlite::memory:";
    }

    @Override
    public String driver() {
        return "org.xerial:sqlite-jdbc";
    }

    @Override
    public String driverClass() {
        return "org.sqlite.JDBC";
    }

    @Override
    public String driverUrl(String url) {
        return SqliteUrl.of(url).map(SqliteUrl::driverUrl).orElse(url);
    }

    /** Whatever else a connection of the application's has attached, or made for itself. */
    @Override
    public String homeSchema() {
        return "select 'main'";
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
    public String max() {
        return "max";
    }

    @Override
    public Optional<String> acquire() {
        return Optional.of("""
                insert into {table} as t ({columns}) {fresh} where true
                on conflict (lock_key) do update set {grant} where {grantable}
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
    public boolean hasPermissions() {
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

    /** Its codes are small and its driver tells no SQL state. One code means many things, which only the text tells apart. */
    @Override
    public Optional<Refusal> refusal(SQLException failure) {
        if (failure.getSQLState() != null) {
            return Optional.empty();
        }
        int code = failure.getErrorCode();
        String text = String.valueOf(failure.getMessage());
        if (code == ERROR && text.contains("no such table")) {
            return Optional.of(Refusal.TABLE_MISSING);
        }
        if (code == IO_ERROR && text.contains("IOERR_SHMSIZE")) {
            return Optional.of(Refusal.FULL); // the index of the log cannot grow
        }
        return code == ERROR && text.contains("no such column")
                ? Optional.of(Refusal.TABLE_UNFIT)
                : Optional.ofNullable(REFUSALS.get(code));
    }

    @Override
    public boolean isDurable(Session session) {
        return true;
    }
}
