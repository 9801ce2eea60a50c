// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock's {@code JdbcTemplateLockProvider} with the database's time. Has no waiting. */
public final class ShedLockSql implements Contestant {
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY,"
            + " lock_until TIMESTAMP(6) NOT NULL, locked_at TIMESTAMP(6) NOT NULL, locked_by VARCHAR(255) NOT NULL)";

    private final HikariDataSource connections;
    private final JdbcTemplateLockProvider provider;

    public ShedLockSql(HikariDataSource connections) throws SQLException {
        this.connections = connections;
        SqlTable.make(connections, TABLE);
        provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(connections))
                .usingDbTime()
                .build());
    }

    /** A release ends at the time that the database tells, which may be rounded up: then the next try comes too early. */
    @Override
    public Held acquire(String lock) {
        while (true) {
            Optional<SimpleLock> held =
                    provider.lock(new LockConfiguration(Instant.now(), lock, Duration.ofSeconds(30), Duration.ZERO));
            if (held.isPresent()) {
                return held.get()::unlock;
            }
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
