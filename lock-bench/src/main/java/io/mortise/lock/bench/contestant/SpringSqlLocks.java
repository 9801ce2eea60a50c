// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's {@code JdbcLockRegistry}. */
public final class SpringSqlLocks implements Contestant {
    private static final String TABLE =
            "CREATE TABLE IF NOT EXISTS INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL,"
                    + " CLIENT_ID CHAR(36), CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER TIMESTAMP NOT NULL,"
                    + " CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION))";

    private final HikariDataSource connections;
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    public SpringSqlLocks(HikariDataSource connections) throws SQLException {
        this.connections = connections;
        SqlTable.make(connections, TABLE);
        repository = new DefaultLockRepository(connections);
        repository.setTransactionManager(new DataSourceTransactionManager(connections));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        registry = new JdbcLockRegistry(repository);
    }

    @Override
    public Held acquire(String lock) {
        return Contestant.lock(registry.obtain(lock));
    }

    @Override
    public void close() {
        repository.close();
        connections.close();
    }
}
