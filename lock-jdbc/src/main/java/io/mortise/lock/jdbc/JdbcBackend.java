// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.LockHolder;
import io.mortise.lock.jdbc.connection.ConnectionOpener;
import io.mortise.lock.jdbc.connection.Connections;
import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.notification.PostgresListener;
import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.Dialects;
import io.mortise.lock.jdbc.sql.ExpiryMode;
import io.mortise.lock.jdbc.sql.Schema;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.jdbc.sql.TableSql;
import io.mortise.lock.jdbc.table.BatchRenewal;
import io.mortise.lock.jdbc.table.HolderWatch;
import io.mortise.lock.jdbc.table.JdbcClaim;
import io.mortise.lock.jdbc.table.LockListing;
import io.mortise.lock.jdbc.table.Register;
import io.mortise.lock.jdbc.table.WaiterQueue;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks in a table of a relational database: PostgreSQL, MariaDB, MySQL, H2 or SQLite. Thread-safe.
 *
 * <p>Each call has a connection and a transaction of its own, by a thread of this backend; none is kept while a lock is
 * held. It is never part of a transaction of the caller. Interrupting a caller never reaches the driver.
 */
public final class JdbcBackend implements LockBackend {
    private final DatabaseCalls calls;
    private final String name;
    private final @Nullable PostgresListener listener;
    private final JdbcClaim.Services claims;
    private final LockListing listing;
    private final Register register;
    private final Set<Feature> features;
    private final BatchRenewal renewal;
    private final SafetyLevel safetyLevel;
    private final LeaseBounds leaseBounds;

    private JdbcBackend(
            DatabaseCalls calls,
            Session session,
            TableSettings settings,
            Optional<ConnectionOpener> listening,
            String url)
            throws SQLException {
        Dialect dialect = Dialects.of(session.connection(), settings.dialect());
        dialect.check(session);
        TableSql sql = new TableSql(dialect, settings, session.connection());
        Schema.open(session, sql);
        this.calls = calls;
        name = "JdbcBackend[" + dialect.product() + ", table " + sql.place + "]";
        listener =
                listening.isPresent() && dialect.canListen(session) ? new PostgresListener(listening.get(), sql) : null;
        safetyLevel = dialect.isDurable(session) ? SafetyLevel.DURABLE : SafetyLevel.SINGLE_STORE;
        features = features(listener != null, safetyLevel == SafetyLevel.DURABLE);
        leaseBounds = dialect.leaseBounds(url);
        claims = new JdbcClaim.Services(
                calls,
                sql,
                listener,
                sql.hasQueue()
                        ? Optional.of(
                                new WaiterQueue(calls, session, sql, listener == null ? "" : listener.ownChannel()))
                        : Optional.empty(),
                sql.expiry == ExpiryMode.BY_WATCHING ? Optional.of(new HolderWatch()) : Optional.empty());
        listing = new LockListing(sql);
        register = new Register(sql);
        renewal = new BatchRenewal(calls);
        calls.adaptTo(dialect.callThreads(), dialect::isInTheWay);
    }

    /**
     * Locks in the default table of a database, which is made if it is missing.
     *
     * @param dataSource gives a connection for each call; it stays open when the backend closes
     * @return a new backend, connected
     * @throws io.mortise.lock.LockConfigurationException if the database, its settings or the table are not fit for use, or the
     *     database refuses this client
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

    private static Set<Feature> features(boolean listens, boolean isDurable) {
        Set<Feature> features = EnumSet.of(Feature.FENCED, Feature.LISTABLE, Feature.REVOCABLE);
        if (listens) {
            features.add(Feature.PROMPT);
        }
        if (isDurable) {
            features.add(Feature.REGISTER);
        }
        return Set.copyOf(features);
    }

    /** Connects, on a call thread: an interrupt of the caller must not meet the driver here either. */
    static JdbcBackend connect(
            Connections connections, TableSettings settings, Optional<ConnectionOpener> listening, String url) {
        DatabaseCalls calls = new DatabaseCalls(connections);
        Dialects.ofUrl(url).ifPresent(dialect -> calls.adaptTo(1, dialect::isInTheWay));
        return calls.open(
                settings.connectTimeout(), session -> new JdbcBackend(calls, session, settings, listening, url));
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new JdbcClaim(claims, request, nudge);
    }

    @Override
    public Set<Feature> features() {
        return features;
    }

    /**
     * {@link SafetyLevel#DURABLE}; {@link SafetyLevel#SINGLE_STORE} for an H2 database in memory, and for a server that answers
     * commits before they are on disk.
     */
    @Override
    public SafetyLevel safetyLevel() {
        return safetyLevel;
    }

    /** Any lease; at least 15 seconds for H2 with AUTO_SERVER in its URL. */
    @Override
    public LeaseBounds leaseBounds() {
        return leaseBounds;
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return renewal.renew(renewals, atMost);
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return calls.ask(atMost, session -> listing.inspect(session, lock));
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return calls.ask(atMost, session -> listing.list(session, prefix, after, limit));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        return calls.ask(atMost, session -> listing.revoke(session, lock, reason, now));
    }

    @Override
    public long highestToken(Duration atMost) {
        return calls.ask(atMost, listing::highestToken);
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        requireRegister();
        return calls.ask(atMost, session -> register.read(session, name));
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        requireRegister();
        return calls.ask(atMost, session -> register.write(session, name, expected, entry));
    }

    private void requireRegister() {
        if (!features.contains(Feature.REGISTER)) {
            throw new UnsupportedOperationException(
                    "this database keeps no register: a crash may undo what it has answered already");
        }
    }

    /** Waits up to two seconds for calls that are under way. Leaves the application's data source open. */
    @Override
    public void close() {
        if (listener != null) {
            listener.close();
        }
        calls.close();
    }

    /** The kind of database and the table with its schema. */
    @Override
    public String toString() {
        return name;
    }

    Optional<PostgresListener> listener() {
        return Optional.ofNullable(listener);
    }
}
