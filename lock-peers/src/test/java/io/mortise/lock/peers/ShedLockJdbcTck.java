// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.foreign.ForeignBackend;
import io.mortise.lock.tck.foreign.ForeignClient;
import io.mortise.lock.tck.foreign.ForeignGrant;
import io.mortise.lock.tck.foreign.Promise;
import io.mortise.lock.tck.foreign.Promises;
import io.mortise.lock.tck.servers.PostgresServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * ShedLock's {@code JdbcTemplateLockProvider} with the database's time. By its README, what happens is unpredictable once a task takes
 * longer than {@code lockAtMostFor}; so it promises nothing of an old holder. Its release tells nothing.
 */
@Promises({Promise.EXCLUSION, Promise.CLOSING, Promise.LEASES})
class ShedLockJdbcTck extends LockBackendTck {
    /** As its README has it for PostgreSQL. */
    static final String TABLE =
            "create table shedlock (name varchar(64) not null primary key, lock_until timestamp not null,"
                    + " locked_at timestamp not null, locked_by varchar(255) not null)";

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
        Database.execute(server.url(), TABLE);
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
        return new ForeignBackend(new Client(
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(pool))
                        .usingDbTime()
                        .build()),
                pool));
    }

    private record Client(LockProvider provider, HikariDataSource pool) implements ForeignClient {
        @Override
        public Optional<ForeignGrant> tryAcquire(String lock, Duration lease) {
            return provider.lock(new LockConfiguration(Instant.now(), lock, lease, Duration.ZERO))
                    .map(Held::new);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** An extended lock is a new object, and the old one must not be used any more. */
    private static final class Held implements ForeignGrant {
        private SimpleLock lock;

        Held(SimpleLock lock) {
            this.lock = lock;
        }

        @Override
        public boolean release() {
            lock.unlock();
            return true;
        }

        @Override
        public boolean renew(Duration lease) {
            Optional<SimpleLock> extended = lock.extend(lease, Duration.ZERO);
            extended.ifPresent(later -> lock = later);
            return extended.isPresent();
        }
    }
}
