// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.jdbc.connection.CachedConnections;
import io.mortise.lock.jdbc.connection.Connections;
import io.mortise.lock.jdbc.connection.DriverConnections;
import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** The smallest right lock in a table: no tokens, no sweeping. The wrong locks are this one with one step replaced. */
class SmallLock implements LockBackend {
    private final Connections connections;
    private final Dialect dialect;

    record Row(@Nullable String owner, long ends, long version) {}

    SmallLock(String url, Dialect dialect) {
        this.connections =
                new CachedConnections(new DriverConnections(url), TableSettings.DEFAULT.withDialect(dialect.product()));
        this.dialect = dialect;
    }

    /** The time, in microseconds. */
    long now(Handle handle) {
        return handle.createQuery("select " + dialect.now()).mapTo(Long.class).one();
    }

    boolean take(Handle handle, String key, String owner, long ends, Row seen) {
        return handle.execute(
                        "update small_locks set owner = ?, ends = ?, version = version + 1 where lock_key = ? and version = ?",
                        owner,
                        ends,
                        key,
                        seen.version)
                > 0;
    }

    private boolean tryAcquire(Handle handle, String key, ClaimRequest request) {
        long ends = now(handle) + request.lease().toNanos() / 1_000;
        Optional<Row> row = handle.createQuery("select owner, ends, version from small_locks where lock_key = ?")
                .bind(0, key)
                .map((columns, context) -> new Row(columns.getString(1), columns.getLong(2), columns.getLong(3)))
                .findOne();
        if (row.isEmpty()) {
            return make(handle, key, request, ends);
        }
        Row seen = row.get();
        boolean free = seen.owner == null || seen.ends <= now(handle) || seen.owner.equals(request.owner());
        return free && take(handle, key, request.owner(), ends, seen);
    }

    private boolean make(Handle handle, String key, ClaimRequest request, long ends) {
        try {
            return handle.execute("insert into small_locks values (?, ?, ?, 1)", key, request.owner(), ends) > 0;
        } catch (JdbiException failure) {
            if (failure.getCause() instanceof SQLException driver && dialect.isInTheWay(driver)) {
                return false;
            }
            throw failure;
        }
    }

    private boolean ifMine(Handle handle, String key, ClaimRequest request, String then) {
        return handle.execute(
                        "update small_locks set " + then
                                + ", version = version + 1 where lock_key = ? and owner = ? and ends > ?",
                        key,
                        request.owner(),
                        now(handle))
                > 0;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        String key = LockKey.of(request.lock()).key();
        return new Claim() {
            @Override
            public boolean tryAcquire(Duration atMost) {
                return answered(handle -> SmallLock.this.tryAcquire(handle, key, request));
            }

            @Override
            public boolean renew(Duration lease, Duration atMost) {
                return answered(
                        handle -> ifMine(handle, key, request, "ends = " + (now(handle) + lease.toNanos() / 1_000)));
            }

            @Override
            public boolean release(Duration atMost) {
                return answered(handle -> ifMine(handle, key, request, "owner = null"));
            }
        };
    }

    private boolean answered(Predicate<Handle> question) {
        try {
            return connections.with(session -> question.test(session.handle()));
        } catch (JdbiException | SQLException unknown) {
            throw new BackendException("no answer", unknown);
        }
    }

    @Override
    public Set<Feature> features() {
        return Set.of();
    }

    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.SINGLE_STORE;
    }

    @Override
    public void close() {
        connections.close();
    }
}
