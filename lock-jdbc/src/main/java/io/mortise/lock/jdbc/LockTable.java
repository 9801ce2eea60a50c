// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.Loss;
import io.mortise.lock.spi.ClaimRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** What a claim does to its row: each operation is one conditional statement, and a look where that says no. Stateless. */
final class LockTable {
    /**
     * What a try came to.
     *
     * @param fence the first token of the grant; 0 if it was refused
     * @param retryAfter what was left of the lease that refused it, if known
     */
    record Attempt(long fence, @Nullable Duration retryAfter) {
        boolean granted() {
            return fence > 0;
        }
    }

    private record Released(long leftMicros, @Nullable String revoked) {}

    private final Statements sql;
    private final long clockStepMicros;

    LockTable(Statements sql, long clockStepMicros) {
        this.sql = sql;
        this.clockStepMicros = clockStepMicros;
    }

    /**
     * Tries to take the lock.
     *
     * @param lookFirst to read before writing, for a claim that waits: a lock that is held is then refused without
     *     disturbing writers
     */
    Attempt tryAcquire(Handle handle, ClaimRequest request, LockKey key, boolean lookFirst) {
        if (lookFirst) {
            Optional<LockRow> row = look(handle, key);
            if (row.isPresent() && row.get().isHeldByAnother(request.owner())) {
                return refused(row);
            }
        }
        Optional<Long> fence = bind(handle.createQuery(sql.acquire), request, key)
                .bind("name", key.text())
                .bind("label", AsciiText.encode(request.label()))
                .bind("floor", request.fenceFloor())
                .bind("tokens", request.tokens())
                .bind("lease", leaseMicros(request))
                .map((row, context) -> row.getLong(1))
                .findOne();
        return fence.map(first -> new Attempt(first, null)).orElseGet(() -> refused(look(handle, key)));
    }

    private static Attempt refused(Optional<LockRow> row) {
        return new Attempt(0, row.flatMap(LockRow::remaining).orElse(null));
    }

    /** Renews the lease; empty if it was renewed, or why it cannot be. */
    Optional<Loss> renew(Handle handle, ClaimRequest request, LockKey key) {
        boolean renewed = bind(handle.createUpdate(sql.renew), request, key)
                        .bind("lease", leaseMicros(request))
                        .execute()
                > 0;
        return renewed ? Optional.empty() : Optional.of(loss(handle, request, key));
    }

    /**
     * Frees the lock.
     *
     * @param repeated whether an earlier release of this claim was answered
     * @param unsure whether a try of this claim may still reach the database
     * @return empty if it was held until now, else why it was not
     */
    Optional<Loss> release(Handle handle, ClaimRequest request, LockKey key, boolean repeated, boolean unsure) {
        Optional<Released> released = bind(handle.createQuery(sql.release), request, key)
                .map((row, context) -> new Released(row.getLong(1), row.getString(2)))
                .findOne();
        if (released.isPresent()) {
            return released.get().leftMicros > 0
                    ? Optional.empty()
                    : Optional.of(LockRow.ended(released.get().revoked));
        }
        Optional<LockRow> row = look(handle, key);
        // The answer to the first release may have been lost on its way, or the driver sent it twice.
        if (!repeated
                && row.isPresent()
                && row.get().wasReleasedBy(request.owner())
                && row.get().leftMicros() > 0) {
            return Optional.empty();
        }
        if (unsure) {
            mark(handle, request, key);
        }
        return Optional.of(LockRow.loss(row.orElse(null), request.owner()));
    }

    /** Makes a try that is still on its way find itself refused; not where another holds the lock, which refuses it too. */
    private void mark(Handle handle, ClaimRequest request, LockKey key) {
        boolean marked = bind(handle.createUpdate(sql.mark), request, key)
                        .bind("lease", leaseMicros(request))
                        .execute()
                > 0;
        if (!marked) {
            bind(handle.createUpdate(sql.markNew), request, key)
                    .bind("name", key.text())
                    .bind("lease", leaseMicros(request))
                    .execute();
        }
    }

    boolean raiseFence(Handle handle, ClaimRequest request, LockKey key, long token) {
        return bind(handle.createUpdate(sql.raiseFence), request, key)
                        .bind("token", token)
                        .execute()
                > 0;
    }

    Loss loss(Handle handle, ClaimRequest request, LockKey key) {
        return LockRow.loss(look(handle, key).orElse(null), request.owner());
    }

    /** The lease in the clock of the database, whose reading may lag by a step: never shorter than asked. */
    long leaseMicros(ClaimRequest request) {
        Duration lease = request.lease();
        long micros = lease.dividedBy(ChronoUnit.MICROS.getDuration());
        return micros + (lease.getNano() % 1000 == 0 ? 0 : 1) + clockStepMicros;
    }

    private Optional<LockRow> look(Handle handle, LockKey key) {
        return handle.createQuery(sql.look)
                .bind("key", key.key())
                .map((row, context) -> row(row))
                .findOne();
    }

    private static LockRow row(ResultSet row) throws SQLException {
        return new LockRow(
                row.getString(1), row.getString(2), row.getLong(3), row.getLong(4), row.getString(5), row.getLong(6));
    }

    private static <S extends SqlStatement<S>> S bind(S statement, ClaimRequest request, LockKey key) {
        return statement.bind("key", key.key()).bind("owner", request.owner());
    }
}
