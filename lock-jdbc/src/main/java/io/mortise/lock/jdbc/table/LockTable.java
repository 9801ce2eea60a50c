// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.Loss;
import io.mortise.lock.jdbc.sql.ChangedRows;
import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Statements;
import io.mortise.lock.spi.ClaimRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Runs the operations of a claim on its row: each is one conditional statement, and a query of the reason if that
 * changes nothing. Stateless.
 */
public final class LockTable {
    /**
     * What a try came to.
     *
     * @param fence the first token of the grant; 0 if it was refused
     * @param row what refused it, if it is there
     * @param guarded whether a transaction that the former holder guards must end first
     */
    record Attempt(long fence, Optional<LockRow> row, boolean guarded) {
        boolean granted() {
            return fence > 0;
        }
    }

    private final Dialect dialect;
    private final Statements sql;
    private final AcquireStrategy strategy;

    public LockTable(Dialect dialect, Statements sql) {
        this.dialect = dialect;
        this.sql = sql;
        this.strategy = sql.acquire
                .<AcquireStrategy>map(SingleStatementAcquire::new)
                .orElseGet(() -> new OptimisticAcquire(sql));
    }

    /**
     * Tries to take the lock.
     *
     * @param before the last try of this claim, for one that waits. It looks before it writes: a lock that is held is then
     *     refused without disturbing writers
     * @param watched the holder whose lease has ended for certain, where watching tells
     */
    Attempt tryAcquire(
            Handle handle,
            ClaimRequest request,
            LockKey key,
            @Nullable Attempt before,
            Optional<ObservedHolder> watched) {
        if (before != null) {
            Optional<LockRow> row = look(handle, key);
            if (row.isPresent() && !row.get().isGrantableTo(request.owner(), sql.expiry, watched)) {
                return new Attempt(0, row, false);
            }
            if (before.guarded && isGuarded(handle, request, key, row)) {
                return new Attempt(0, row, true);
            }
        }
        try {
            return strategy.acquire(handle, new AcquireStrategy.Try(request, key, leaseMicros(request), watched))
                    .map(fence -> new Attempt(fence, Optional.empty(), false))
                    .orElseGet(() -> new Attempt(0, look(handle, key), false));
        } catch (JdbiException failure) {
            if (!isInTheWay(failure) || !isGuarded(handle, request, key, look(handle, key))) {
                throw failure;
            }
            bind(handle.createUpdate(sql.undo), request, key).execute(); // where half of a statement stays
            return new Attempt(0, look(handle, key), true);
        }
    }

    private boolean isInTheWay(JdbiException failure) {
        return failure.getCause() instanceof SQLException driver && dialect.isInTheWay(driver);
    }

    /**
     * Whether the record of the last grant is locked, so that the lock is in use although its lease is over. A claim that has
     * been granted the lock and asks again meets its own guard, and is not told that it does not hold.
     */
    private boolean isGuarded(Handle handle, ClaimRequest request, LockKey key, Optional<LockRow> row) {
        if (!dialect.recordsGrants() || recorded(handle, sql.freeGrant, key).isPresent()) {
            return false;
        }
        Optional<Long> recorded = recorded(handle, sql.grant, key);
        return recorded.isPresent()
                && row.filter(mine -> request.owner().equals(mine.owner()) && mine.fence() == recorded.get())
                        .isEmpty();
    }

    private static Optional<Long> recorded(Handle handle, String query, LockKey key) {
        return handle.createQuery(query)
                .bind("key", key.key())
                .mapTo(Long.class)
                .findOne();
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
        if (free(handle, request, key)) {
            return Optional.empty();
        }
        boolean ended =
                bind(handle.createUpdate(sql.releaseEnded), request, key).execute() > 0;
        Optional<LockRow> row = look(handle, key);
        if (ended) {
            return Optional.of(LockRow.ended(row.map(LockRow::revoked).orElse(null)));
        }
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

    private boolean free(Handle handle, ClaimRequest request, LockKey key) {
        return ChangedRows.any(bind(handle.createUpdate(sql.release), request, key));
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

    boolean raiseToken(Handle handle, ClaimRequest request, LockKey key, long token) {
        return bind(handle.createUpdate(sql.raiseToken), request, key)
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
        return micros + (lease.toNanosPart() % 1000 == 0 ? 0 : 1) + dialect.clockStepMicros();
    }

    private Optional<LockRow> look(Handle handle, LockKey key) {
        return LockRow.find(handle, sql.look, key);
    }

    private static <S extends SqlStatement<S>> S bind(S statement, ClaimRequest request, LockKey key) {
        return statement.bind("key", key.key()).bind("owner", request.owner());
    }
}
