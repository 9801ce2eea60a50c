// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.sql.AsciiText;
import io.mortise.lock.jdbc.sql.ExpiryMode;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Statements;
import io.mortise.lock.spi.ClaimRequest;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Reads the row, then takes the lock and records the grant by one statement if nothing has changed since: for
 * databases that cannot return what an update wrote. A row that was swept and made again has another counter, whatever
 * its version.
 */
public final class OptimisticAcquire implements AcquireStrategy {
    /** How often others may come between; after that the answer is that another holds the lock. */
    private static final int ROUNDS = 5;

    private final ExpiryMode expiry;
    private final String look;
    private final String take;
    private final String make;
    private final String record;

    OptimisticAcquire(Statements sql) {
        expiry = sql.expiry;
        look = sql.look;
        take = sql.sql(
                "{try}update {table} t, {grants} g set t.owner = :owner, t.label = :label, t.revoked = null,"
                        + " t.fence = :fence, t.counter = :counter, t.version = :version + 1, t.acquired_us = :acquired,"
                        + " t.expires_us = {now} + :lease, t.lease_us = :lease, g.fence = :fence"
                        + " where t.lock_key = :key and g.lock_key = :key and t.version = :version and t.counter = :seenCounter");
        make = sql.sql("{try}insert into {table} ({columns}) {fresh}");
        record = sql.sql("{try}insert into {grants} (lock_key, fence) values (:key, :fence)"
                + " on duplicate key update fence = greatest(fence, :fence)");
    }

    @Override
    public Optional<Long> acquire(Handle handle, Try attempt) {
        ClaimRequest request = attempt.request();
        for (int round = 0; round < ROUNDS; round++) {
            Optional<LockRow> row = LockRow.find(handle, look, attempt.key());
            if (row.isEmpty()) {
                make(handle, attempt);
                return LockRow.find(handle, look, attempt.key())
                        .filter(made -> made.isHeldBy(request.owner(), expiry))
                        .map(made -> record(handle, attempt.key(), made.fence()));
            }
            if (!row.get().isGrantableTo(request.owner(), expiry, attempt.watched())) {
                return Optional.empty();
            }
            LockRow.Tokens tokens = row.get().tokensFor(request, expiry);
            if (take(handle, attempt, row.get(), tokens)) {
                return Optional.of(tokens.fence());
            }
            record(handle, attempt.key(), 0); // in case that the row for grants is missing
        }
        return Optional.empty();
    }

    private boolean take(Handle handle, Try attempt, LockRow row, LockRow.Tokens tokens) {
        return handle.createUpdate(take)
                        .bind("key", attempt.key().key())
                        .bind("owner", attempt.request().owner())
                        .bind("label", AsciiText.encode(attempt.request().label()))
                        .bind("lease", attempt.leaseMicros())
                        .bind("fence", tokens.fence())
                        .bind("counter", tokens.counter())
                        .bind("acquired", tokens.sinceMicros())
                        .bind("version", row.version())
                        .bind("seenCounter", row.counter())
                        .execute()
                > 0;
    }

    private void make(Handle handle, Try attempt) {
        handle.createUpdate(make)
                .bind("key", attempt.key().key())
                .bind("name", attempt.key().text())
                .bind("owner", attempt.request().owner())
                .bind("label", AsciiText.encode(attempt.request().label()))
                .bind("floor", attempt.request().tokenFloor())
                .bind("tokens", attempt.request().tokenCount())
                .bind("lease", attempt.leaseMicros())
                .execute();
    }

    private long record(Handle handle, LockKey key, long fence) {
        handle.createUpdate(record).bind("key", key.key()).bind("fence", fence).execute();
        return fence;
    }
}
