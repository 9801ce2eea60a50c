// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.mortise.lock.migration.fleet.FleetProgram;
import io.mortise.lock.migration.fleet.FleetProgram.Held;
import io.mortise.lock.migration.fleet.FleetProgram.Locks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** A process of a fleet that locks with ShedLock, and asks again every few milliseconds, since ShedLock does not wait. */
final class ShedLockProgram {
    private static final long PAUSE_MILLIS = 5;

    private ShedLockProgram() {}

    /** As {@link FleetProgram#main}. */
    public static void main(String[] arguments) throws Exception {
        FleetProgram.run(arguments, url -> {
            HikariDataSource pool = Database.pool(url);
            return new ShedLocks(
                    new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                            .withJdbcTemplate(new JdbcTemplate(pool))
                            .usingDbTime()
                            .build()),
                    pool);
        });
    }

    private record ShedLocks(LockProvider provider, HikariDataSource pool) implements Locks {
        @Override
        public Optional<Held> tryAcquire(String lock, Duration wait) throws InterruptedException {
            long end = System.nanoTime() + wait.toNanos();
            Optional<Held> held = tryOnce(lock);
            while (held.isEmpty() && System.nanoTime() - end < 0) {
                Thread.sleep(PAUSE_MILLIS);
                held = tryOnce(lock);
            }
            return held;
        }

        private Optional<Held> tryOnce(String lock) {
            long asked = System.nanoTime();
            return provider.lock(new LockConfiguration(Instant.now(), lock, FleetProgram.LEASE, Duration.ZERO))
                    .map(had -> new HeldForTime(had::unlock, asked + FleetProgram.LEASE.toNanos()));
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
