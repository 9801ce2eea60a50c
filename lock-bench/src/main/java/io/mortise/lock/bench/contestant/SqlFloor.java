// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** A row for each lock, made once; one UPDATE acquires it and one releases it, each in a transaction of its own. Has no waiting. */
public final class SqlFloor implements Contestant {
    private static final long LEASE_MILLIS = 30_000;

    private final DataSource connections;
    private final Set<String> made = ConcurrentHashMap.newKeySet();

    public SqlFloor(DataSource connections) throws SQLException {
        this.connections = connections;
        execute("CREATE TABLE IF NOT EXISTS bench_floor"
                + " (name VARCHAR(200) PRIMARY KEY, holder VARCHAR(40), ends BIGINT NOT NULL)");
    }

    private void execute(String sql, Object... values) throws SQLException {
        if (changed(sql, values) < 0) {
            throw new SQLException("no result of " + sql);
        }
    }

    private int changed(String sql, Object... values) throws SQLException {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    @Override
    public Held acquire(String lock) throws SQLException {
        if (made.add(lock)) {
            execute("DELETE FROM bench_floor WHERE name = ?", lock);
            execute("INSERT INTO bench_floor VALUES (?, NULL, 0)", lock);
        }
        String owner = Long.toHexString(ThreadLocalRandom.current().nextLong());
        long now = System.currentTimeMillis();
        if (changed(
                        "UPDATE bench_floor SET holder = ?, ends = ? WHERE name = ? AND ends < ?",
                        owner,
                        now + LEASE_MILLIS,
                        lock,
                        now)
                != 1) {
            throw new IllegalStateException("somebody holds " + lock);
        }
        return () -> {
            if (changed("UPDATE bench_floor SET ends = 0 WHERE name = ? AND holder = ?", lock, owner) != 1) {
                throw new IllegalStateException("nobody held " + lock);
            }
        };
    }

    @Override
    public void close() {
        if (connections instanceof HikariDataSource pool) {
            pool.close();
        }
    }
}
