// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.Loss;
import io.mortise.lock.jdbc.sql.DirectStatement;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.TableSql;
import io.mortise.lock.spi.ClaimRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one claim on the row of its lock: each is one conditional statement, and a query of the reason if
 * that changes nothing. Immutable.
 */
record ClaimStatements(TableSql sql, ClaimRequest request, LockKey key) {
    private static final String RENEW = """
            {wait}update {table} set expires_us = {now} + :lease, lease_us = :lease, version = version + 1
            {from} where lock_key = :key and owner = :owner {held} and revoked is null""";
    private static final String RELEASE = """
            {wait}update {table} set owner = null, released = :owner, left_us = {left}, expires_us = {now},
              version = version + 1
            {from} where lock_key = :key and owner = :owner {held}""";
    private static final String RELEASE_ENDED = """
            {wait}update {table} set owner = null, released = :owner, left_us = 0, version = version + 1
            {from} where lock_key = :key and owner = :owner""";
    private static final String UNDO = """
            {wait}update {table} set owner = null, left_us = 0, expires_us = {now}, version = version + 1
            {from} where lock_key = :key and owner = :owner""";
    private static final String MARK = """
            {wait}update {table} set released = :owner, left_us = 0, expires_us = {max}(expires_us, {now} + :lease),
              version = version + 1
            {from} where lock_key = :key and owner is null""";
    private static final String MARK_NEW = """
            insert into {table} ({columns}, released)
            select :key, :name, null, '', 0, 0, 0, 0, {now} + :lease, 0, 0, :owner from (select 1 as one) o
            where not exists (select 1 from {table} where lock_key = :key)""";
    private static final String RAISE_TOKEN = """
            {wait}update {table} set counter = {max}(counter, :token), version = version + 1
            {from} where lock_key = :key and owner = :owner {held}""";
    private static final String RECORDED_GRANT = "select fence from {grants} where lock_key = :key";
    private static final String SKIPPING = " skip locked";
    private static final String UNLOCKED_GRANT = RECORDED_GRANT + " for update" + SKIPPING;

    /**
     * What a try came to.
     *
     * @param fence the first token of the grant; 0 if it was refused
     * @param row what refused it, if it is there
     * @param guarded whether a transaction that the former holder guards must end first
     */
    record Outcome(long fence, Optional<LockRow> row, boolean guarded) {
        /** As if a try had been refused: the next one looks before it writes. */
        static final Outcome LOOK_FIRST = new Outcome(0, Optional.empty(), false);

        boolean granted() {
            return fence > 0;
        }
    }

    /**
     * Why a lease was not renewed.
     *
     * @param loss what became of it
     * @param stillHeld whether the claim has the lock until the lease ends: it was revoked, and not at once
     */
    record Refusal(Loss loss, boolean stillHeld) {}

    /**
     * Tries to take the lock.
     *
     * @param before the last try of this claim, for one that waits. It looks before it writes: a lock that is held is then
     *     refused without disturbing writers
     * @param watched the holder whose lease has ended for certain, where watching tells
     * @param rowIsThere whether the lock's row is likely there, and free
     * @param looking how the claim looks at the lock
     */
    Outcome tryAcquire(
            Session session,
            @Nullable Outcome before,
            Optional<LockRow.Holder> watched,
            boolean rowIsThere,
            Function<Session, Optional<LockRow>> looking) {
        if (before != null) {
            Optional<LockRow> row = looking.apply(session);
            if (row.isPresent() && !row.get().isGrantableTo(request.owner(), sql.expiry, watched)) {
                return new Outcome(0, row, false);
            }
            if (before.guarded && isGuarded(session, row)) {
                return new Outcome(0, row, true);
            }
        }
        try {
            return new AcquireAttempt(sql, request, key, micros(request.lease()), watched)
                    .run(session, rowIsThere)
                    .map(fence -> new Outcome(fence, Optional.empty(), false))
                    .orElseGet(() -> new Outcome(0, looking.apply(session), false));
        } catch (JdbiException failure) {
            boolean inTheWay = failure.getCause() instanceof SQLException driver && sql.dialect.isInTheWay(driver);
            if (!inTheWay || !isGuarded(session, look(session))) {
                throw failure;
            }
            update(session, UNDO).changesARow(); // where half of a statement stays
            return new Outcome(0, looking.apply(session), true);
        }
    }

    /**
     * Whether a guard has locked the record of the last grant, so that the lock is in use although its lease is over. A claim that has
     * been granted the lock and asks again meets its own guard, and is not told that it does not hold.
     */
    private boolean isGuarded(Session session, Optional<LockRow> row) {
        if (!sql.dialect.recordsGrants() || !seemsGuarded(session)) {
            return false;
        }
        Optional<Long> recorded = grant(session, RECORDED_GRANT);
        return recorded.isPresent()
                && row.filter(mine -> request.owner().equals(mine.owner()) && mine.fence() == recorded.get())
                        .isEmpty();
    }

    /**
     * Whether the record is locked as by a guard, which shares its lock: whoever changes the record, as a sweep does, lets nobody else
     * lock it. The last look is for a lock that was given up between the first two.
     */
    private boolean seemsGuarded(Session session) {
        if (grant(session, UNLOCKED_GRANT).isPresent()) {
            return false;
        }
        Optional<String> sharing = sql.dialect.sharing();
        if (sharing.isEmpty()) {
            return true;
        }
        String sharedGrant = RECORDED_GRANT + " " + sharing.get() + SKIPPING;
        return grant(session, sharedGrant).isPresent()
                && grant(session, UNLOCKED_GRANT).isEmpty();
    }

    private Optional<Long> grant(Session session, String query) {
        return session.statement(sql.of(query)).bind("key", key.key()).one(row -> row.getLong(1));
    }

    /** Renews the lease, to a length; empty if it was renewed, or why it cannot be. */
    Optional<Refusal> renew(Session session, Duration lease) {
        if (updateWithLease(session, RENEW, lease).changesARow()) {
            return Optional.empty();
        }
        Optional<LockRow> row = look(session);
        boolean stillHeld = row.filter(mine -> mine.isHeldBy(request.owner(), sql.expiry) && mine.revoked() != null)
                .isPresent();
        return Optional.of(new Refusal(LockRow.loss(row, request.owner()), stillHeld));
    }

    /** As {@link #renew}, for many claims in one transaction, each to a length of its own. */
    static List<Optional<Refusal>> renewTogether(Session session, List<ClaimStatements> claims, List<Duration> leases) {
        List<DirectStatement> renewals = new ArrayList<>(claims.size());
        for (int i = 0; i < claims.size(); i++) {
            renewals.add(claims.get(i).updateWithLease(session, RENEW, leases.get(i)));
        }
        int[] renewed = DirectStatement.changedTogether(renewals);
        List<Optional<Refusal>> refusals = new ArrayList<>(claims.size());
        for (int i = 0; i < renewed.length; i++) {
            // A driver need not tell how many rows each part of a batch changed; what it did not confirm is asked
            // again.
            refusals.add(renewed[i] > 0 ? Optional.empty() : claims.get(i).renew(session, leases.get(i)));
        }
        return refusals;
    }

    /**
     * Frees the lock.
     *
     * @param repeated whether an earlier release of this claim was answered
     * @param unsure whether a try of this claim may still reach the database
     * @param freeing frees a lock that this claim holds, and tells whether it did
     * @return empty if it was held until now, else why it was not
     */
    Optional<Loss> release(Session session, boolean repeated, boolean unsure, Predicate<Session> freeing) {
        if (freeing.test(session)) {
            return Optional.empty();
        }
        boolean ended = update(session, RELEASE_ENDED).changesARow();
        Optional<LockRow> row = look(session);
        if (ended) {
            return Optional.of(LockRow.ended(row));
        }
        // The answer to the first release may have been lost on its way, or the driver sent it twice.
        if (!repeated
                && row.isPresent()
                && row.get().wasReleasedBy(request.owner())
                && row.get().leftMicros() > 0) {
            return Optional.empty();
        }
        // Makes a try that is still on its way find itself refused; where another holds the lock, that refuses it too.
        if (unsure && !updateWithLease(session, MARK, request.lease()).changesARow()) {
            updateWithLease(session, MARK_NEW, request.lease())
                    .bind("name", key.text())
                    .changesARow();
        }
        return Optional.of(LockRow.loss(row, request.owner()));
    }

    /** Frees the lock, if this claim holds it, and tells all who wait. */
    boolean free(Session session) {
        return bind(session.statement(sql.releasing(RELEASE))).changesARow();
    }

    boolean raiseToken(Session session, long token) {
        return update(session, RAISE_TOKEN).bind("token", token).changesARow();
    }

    private DirectStatement update(Session session, String template) {
        return bind(session.statement(sql.of(template)));
    }

    private DirectStatement updateWithLease(Session session, String template, Duration lease) {
        return update(session, template).bind("lease", micros(lease));
    }

    private DirectStatement bind(DirectStatement statement) {
        return statement.bind("key", key.key()).bind("owner", request.owner());
    }

    /** A lease in the clock of the database, whose reading may lag by a step: never shorter than asked. */
    long micros(Duration lease) {
        long micros = TimeUnit.SECONDS.toMicros(lease.getSeconds()) + lease.getNano() / 1000;
        return micros + (lease.getNano() % 1000 == 0 ? 0 : 1) + sql.dialect.clockStepMicros();
    }

    Optional<LockRow> look(Session session) {
        return LockRow.find(session, sql, key);
    }
}
