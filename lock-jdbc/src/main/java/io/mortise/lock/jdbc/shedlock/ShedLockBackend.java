// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.shedlock;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.jdbc.connection.Connections;
import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.Dialects;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Locks as ShedLock's {@code JdbcTemplateLockProvider} does in PostgreSQL with {@code usingDbTime()}, so that its clients and clients of
 * this backend keep each other out: for a fleet that moves from there. It has no tokens and no revocation, and waiting clients poll.
 * Thread-safe.
 *
 * <p>It promises no more than ShedLock does: a try that arrives after its claim was released may keep the lock from others for a lease.
 */
public final class ShedLockBackend implements LockBackend {
    private static final String DATABASE = "PostgreSQL";
    private static final int CALL_THREADS = 8;
    private static final Duration LONGEST_LEASE = Duration.ofDays(365);

    private final DatabaseCalls calls;
    private final ShedLockTable table;
    private final SafetyLevel safetyLevel;

    private ShedLockBackend(DatabaseCalls calls, ShedLockTable table, SafetyLevel safetyLevel) {
        this.calls = calls;
        this.table = table;
        this.safetyLevel = safetyLevel;
    }

    /**
     * Connects.
     *
     * @throws LockConfigurationException if the database is another one than PostgreSQL, or has no such table
     */
    public static ShedLockBackend connect(Connections connections, TableSettings settings) {
        DatabaseCalls calls = new DatabaseCalls(connections);
        return calls.open(settings.connectTimeout(), session -> {
            Dialect dialect = Dialects.of(session.connection(), settings.dialect());
            if (!dialect.product().equals(DATABASE)) {
                throw new LockConfigurationException(
                        "mortise.format=shedlock is for " + DATABASE + ", not for " + dialect.product());
            }
            calls.adaptTo(CALL_THREADS, dialect::isInTheWay);
            return new ShedLockBackend(
                    calls,
                    ShedLockTable.of(session, settings.table()),
                    dialect.isDurable(session) ? SafetyLevel.DURABLE : SafetyLevel.SINGLE_STORE);
        });
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new ShedLockClaim(calls, table, request);
    }

    @Override
    public Set<Feature> features() {
        return Set.of(Feature.LISTABLE);
    }

    @Override
    public SafetyLevel safetyLevel() {
        return safetyLevel;
    }

    @Override
    public LeaseBounds leaseBounds() {
        return new LeaseBounds(LeaseBounds.WIDEST.shortest(), LONGEST_LEASE, LeaseBounds.WIDEST.afterCrash());
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return calls.ask(atMost, session -> table.holder(session, lock));
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return calls.ask(atMost, session -> table.holders(session, prefix, after, limit));
    }

    /** Waits up to two seconds for calls that are under way. */
    @Override
    public void close() {
        calls.close();
    }
}
