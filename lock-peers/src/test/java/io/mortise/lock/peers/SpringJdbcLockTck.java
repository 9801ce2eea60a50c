// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.foreign.ForeignBackend;
import io.mortise.lock.tck.foreign.Promise;
import io.mortise.lock.tck.foreign.Promises;
import io.mortise.lock.tck.foreign.ThreadOwnedLocks;
import io.mortise.lock.tck.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's {@code JdbcLockRegistry} with its {@code DefaultLockRepository}. */
@Promises({
    Promise.EXCLUSION,
    Promise.CLOSING,
    Promise.ANY_NAME,
    Promise.LEASES,
    Promise.OWNERSHIP,
    Promise.TRUE_RELEASES,
    Promise.RENEWALS
})
class SpringJdbcLockTck extends LockBackendTck {
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
        Database.execute(
                server.url(),
                "create table INT_LOCK (LOCK_KEY char(36) not null, REGION varchar(100) not null, CLIENT_ID char(36),"
                        + " CREATED_DATE timestamp not null, EXPIRED_AFTER timestamp not null,"
                        + " constraint INT_LOCK_PK primary key (LOCK_KEY, REGION))");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    public String store() {
        return server.url();
    }

    @Override
    public LockBackend open(String store) {
        HikariDataSource pool = Database.pool(store);
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new DataSourceTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository);
        registry.setCacheCapacity(100_000);
        return new ForeignBackend(new ThreadOwnedLocks(
                name -> new SpringLock(registry.obtain(name), lease -> registry.renewLock(name, lease)), () -> {
                    repository.close();
                    pool.close();
                }));
    }
}
