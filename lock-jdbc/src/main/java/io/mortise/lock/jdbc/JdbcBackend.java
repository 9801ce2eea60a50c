// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
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
import javax.sql.DataSource;

/**
 * Locks in a table of a relational database; SQLite and H2. Thread-safe.
 *
 * <p>Each call has a connection and a transaction of its own, by a thread of this backend; none is kept while a lock is
 * held. It is never part of a transaction of the caller. Interrupting a caller never reaches the driver.
 */
public final class JdbcBackend implements LockBackend {
    private static final Duration CONNECT_AT_MOST = Duration.ofSeconds(15);

    /** As many as a client asks for. */
    private static final int RENEWALS_AT_ONCE = 2;

    /** What connecting finds out. */
    private record Found(
            Dialect dialect,
            Statements sql,
            Notifications notifications,
            SafetyLevel safetyLevel,
            LeaseBounds leaseBounds) {}

    private final Database database;
    private final LockTable table;
    private final Optional<HolderWatch> watch;
    private final Directory directory;
    private final Notifications notifications;
    private final Set<Feature> features;
    private final BatchRenewal renewal;
    private final Sweeper sweeper;
    private final SafetyLevel safetyLevel;
    private final LeaseBounds leaseBounds;

    private JdbcBackend(Connections connections, CallThreads threads, Found found) {
        Dialect dialect = found.dialect;
        Statements sql = found.sql;
        threads.growTo(dialect.callThreads());
        CallThreads renewalThreads = threads;
        if (dialect.callThreads() > 1) {
            renewalThreads = new CallThreads();
            renewalThreads.growTo(RENEWALS_AT_ONCE);
        }
        database = new Database(connections, threads, renewalThreads, dialect::isInTheWay);
        table = new LockTable(dialect, sql);
        watch = sql.ends == LeaseEnds.BY_WATCHING ? Optional.of(new HolderWatch()) : Optional.empty();
        directory = new Directory(sql);
        notifications = found.notifications;
        features = notifications.arePossible()
                ? Set.of(Feature.FENCED, Feature.PROMPT, Feature.LISTABLE, Feature.REVOCABLE)
                : Set.of(Feature.FENCED, Feature.LISTABLE, Feature.REVOCABLE);
        renewal = new BatchRenewal(database, table, sql.renew);
        sweeper = new Sweeper(connections, threads, sql, dialect.recordsGrants());
        safetyLevel = found.safetyLevel;
        leaseBounds = found.leaseBounds;
    }

    /**
     * Locks in the default table of a database, which is made if it is missing.
     *
     * @param dataSource gives a connection for each call; it stays open when the backend closes
     * @return a new backend, connected
     * @throws io.mortise.lock.LockConfigurationException if the database, its settings or the table are not fit for use
     * @throws BackendException if the database did not answer within 15 seconds
     */
    public static JdbcBackend of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * Locks in a database of the application's.
     *
     * @param dataSource gives a connection for each call; it stays open when the backend closes
     * @return a builder with the defaults
     */
    public static JdbcBackendBuilder builder(DataSource dataSource) {
        return new JdbcBackendBuilder(dataSource);
    }

    /** Connects, on a call thread: an interrupt of the caller must not meet the driver here either. */
    static JdbcBackend connect(Connections connections, Settings settings, String url) {
        CallThreads threads = new CallThreads();
        boolean connected = false;
        try {
            Database unknown = new Database(connections, threads, threads, Failures::isRollback);
            Found found = unknown.ask(CONNECT_AT_MOST, handle -> {
                Dialect dialect = Dialects.of(handle.getConnection(), settings.dialect());
                Statements sql = new Statements(dialect, settings.table(), settings.ends());
                dialect.check(handle);
                Schema.open(handle, dialect, sql, settings);
                return new Found(
                        dialect,
                        sql,
                        dialect.notifications(handle, settings),
                        dialect.safetyLevel(handle),
                        dialect.leaseBounds(url));
            });
            connected = true;
            return new JdbcBackend(connections, threads, found);
        } finally {
            if (!connected) {
                threads.close();
                connections.close();
            }
        }
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new JdbcClaim(this, request, nudge);
    }

    @Override
    public Set<Feature> features() {
        return features;
    }

    /** {@link SafetyLevel#DURABLE}; {@link SafetyLevel#SINGLE_STORE} for an H2 database in memory. */
    @Override
    public SafetyLevel safetyLevel() {
        return safetyLevel;
    }

    /** Any; from 15 seconds for H2 with AUTO_SERVER in a URL. */
    @Override
    public LeaseBounds leaseBounds() {
        return leaseBounds;
    }

    @Override
    public List<Answer> renewAll(List<? extends Claim> claims, Duration atMost) {
        return renewal.renew(claims.stream().map(JdbcClaim.class::cast).toList(), atMost);
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return database.ask(atMost, handle -> directory.inspect(handle, lock));
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return database.ask(atMost, handle -> directory.list(handle, prefix, after, limit));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return database.ask(atMost, handle -> directory.revoke(handle, lock, reason, now));
    }

    /** Waits up to two seconds for calls that are under way. Leaves the application's data source open. */
    @Override
    public void close() {
        notifications.close();
        database.close();
    }

    Database database() {
        return database;
    }

    LockTable table() {
        return table;
    }

    Notifications notifications() {
        return notifications;
    }

    /** Tells the ends of leases where no clock does. */
    Optional<HolderWatch> watch() {
        return watch;
    }

    Sweeper sweeper() {
        return sweeper;
    }
}
