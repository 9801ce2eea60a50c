// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.sql.AsciiText;
import io.mortise.lock.jdbc.sql.DirectStatement;
import io.mortise.lock.jdbc.sql.ExpiryMode;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.SqlFailures;
import io.mortise.lock.jdbc.sql.TableSql;
import io.mortise.lock.spi.ClaimRequest;
import java.util.Optional;
import org.jdbi.v3.core.JdbiException;

/**
 * One attempt to acquire a lock and to record the grant where guards look. Of many attempts at once exactly one is
 * granted. Immutable.
 *
 * @param leaseMicros the lease in the database's clock
 * @param watched the holder whose lease has ended for certain, where watching tells
 */
record AcquireAttempt(
        TableSql sql, ClaimRequest request, LockKey key, long leaseMicros, Optional<LockRow.Holder> watched) {
    /** How often others may come between; after that the answer is that another holds the lock. */
    private static final int ROUNDS = 5;

    private static final String MAKE = "{try}insert into {table} ({columns}) {fresh}";
    private static final String TAKE = """
            {try}update {table} t, {grants} g
            set t.owner = :owner, t.label = :label, t.revoked = null, t.fence = :fence, t.counter = :counter,
                t.version = :version + 1, t.acquired_us = :acquired, t.expires_us = {now} + :lease,
                t.lease_us = :lease, g.fence = :fence
            where t.lock_key = :key and g.lock_key = :key and t.version = :version and t.counter = :seenCounter""";
    private static final String RECORD = """
            {try}insert into {grants} (lock_key, fence) values (:key, :fence)
            on duplicate key update fence = greatest(fence, :fence)""";

    /**
     * The first token of the grant, or empty if the lock is not to be had.
     *
     * @param rowIsThere whether the row is likely there, and free: then the shortest statement comes first
     */
    Optional<Long> run(Session session, boolean rowIsThere) {
        Optional<Long> taken =
                rowIsThere ? sql.dialect.take().flatMap(statement -> takeFree(session, statement)) : Optional.empty();
        return taken.isPresent()
                ? taken
                : sql.dialect
                        .acquire()
                        .map(statement -> atOnce(session, statement))
                        .orElseGet(() -> optimistically(session));
    }

    private Optional<Long> takeFree(Session session, String take) {
        DirectStatement statement = bindNewRow(session.statement(sql.of(take)));
        return sql.dialect.acquire().isPresent() ? statement.one(row -> row.getLong(1)) : statement.insertId();
    }

    /** By one statement, which inserts or takes the row, records the grant and returns its token, or returns no row. */
    private Optional<Long> atOnce(Session session, String acquire) {
        DirectStatement statement = bindNewRow(session.statement(sql.of(acquire)));
        if (sql.expiry == ExpiryMode.BY_WATCHING) {
            statement
                    .bind("watchedOwner", watched.map(LockRow.Holder::owner).orElse(null))
                    .bind("watchedVersion", watched.map(LockRow.Holder::version).orElse(-1L));
        }
        return statement.one(row -> row.getLong(1));
    }

    /**
     * By reading the row, then taking the lock and recording the grant if nothing has changed since: for databases that
     * cannot return what an update wrote. A row that was swept and made again has another counter, whatever its version.
     */
    private Optional<Long> optimistically(Session session) {
        for (int round = 0; round < ROUNDS; round++) {
            Optional<LockRow> row = LockRow.find(session, sql, key);
            if (row.isEmpty()) {
                bindNewRow(session.statement(sql.of(MAKE))).changesARow();
                return recordMade(session);
            }
            if (!row.get().isGrantableTo(request.owner(), sql.expiry, watched)) {
                return Optional.empty();
            }
            LockRow.Tokens tokens = row.get().tokensFor(request, sql.expiry);
            if (take(session, row.get(), tokens)) {
                return Optional.of(tokens.fence());
            }
            record(session, 0); // in case that the row for grants is missing
        }
        return Optional.empty();
    }

    /** The row is made: whatever is refused now, the try has changed something. */
    private Optional<Long> recordMade(Session session) {
        try {
            return LockRow.find(session, sql, key)
                    .filter(made -> made.isHeldBy(request.owner(), sql.expiry))
                    .map(made -> record(session, made.fence()));
        } catch (JdbiException failure) {
            if (SqlFailures.refusal(failure).isEmpty()) {
                throw failure;
            }
            throw SqlFailures.inPart(failure);
        }
    }

    private boolean take(Session session, LockRow row, LockRow.Tokens tokens) {
        return bindRow(session.statement(sql.of(TAKE)))
                .bind("fence", tokens.fence())
                .bind("counter", tokens.counter())
                .bind("acquired", tokens.sinceMicros())
                .bind("version", row.version())
                .bind("seenCounter", row.counter())
                .changesARow();
    }

    private long record(Session session, long fence) {
        session.statement(sql.of(RECORD))
                .bind("key", key.key())
                .bind("fence", fence)
                .changesARow();
        return fence;
    }

    private DirectStatement bindNewRow(DirectStatement statement) {
        return bindRow(statement)
                .bind("name", key.text())
                .bind("lowest", request.tokenFloor() + 1)
                .bind("tokens", request.tokenCount());
    }

    private DirectStatement bindRow(DirectStatement statement) {
        return statement
                .bind("key", key.key())
                .bind("owner", request.owner())
                .bind("label", AsciiText.encode(request.label()))
                .bind("lease", leaseMicros);
    }
}
