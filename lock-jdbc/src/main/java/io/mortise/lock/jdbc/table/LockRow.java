// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.jdbc.sql.AsciiText;
import io.mortise.lock.jdbc.sql.ExpiryMode;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.TableSql;
import io.mortise.lock.spi.ClaimRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The row of one lock as it was read from the table; the files in {@code schema} say what its columns mean. Times are
 * microseconds since 1970 by the clock of the database.
 *
 * @param owner who has the lock, or had it until its lease ended; null if it was released
 * @param leftMicros 0 or less if nothing was left of the lease when it was released
 * @param nowMicros when this was read
 */
record LockRow(
        @Nullable String owner,
        @Nullable String released,
        long leftMicros,
        long expiresMicros,
        @Nullable String revoked,
        long fence,
        long counter,
        long version,
        long acquiredMicros,
        long leaseMicros,
        long nowMicros) {

    static final String LOOK = """
            select owner, released, left_us, expires_us, revoked, fence, counter, version, acquired_us, lease_us,
                   {now} as now_us
            from {table} where lock_key = :key""";

    /** Who has the lock, in a version of the row, which changes with each renewal. */
    record Holder(String owner, long version) {}

    /** The first and the last token of a grant, and when it was granted. */
    record Tokens(long fence, long counter, long sinceMicros) {}

    static Optional<LockRow> find(Session session, TableSql sql, LockKey key) {
        return session.statement(sql.of(LOOK)).bind("key", key.key()).one(LockRow::of);
    }

    static LockRow of(ResultSet row) throws SQLException {
        return new LockRow(
                row.getString("owner"),
                row.getString("released"),
                row.getLong("left_us"),
                row.getLong("expires_us"),
                row.getString("revoked"),
                row.getLong("fence"),
                row.getLong("counter"),
                row.getLong("version"),
                row.getLong("acquired_us"),
                row.getLong("lease_us"),
                row.getLong("now_us"));
    }

    Optional<Holder> holder() {
        return Optional.ofNullable(owner).map(holder -> new Holder(holder, version));
    }

    boolean isHeldBy(String claim, ExpiryMode expiry) {
        return claim.equals(owner) && !hasEnded(expiry);
    }

    boolean wasReleasedBy(String claim) {
        return claim.equals(released);
    }

    /** As {@code {grantable}} asks within the table. */
    boolean isGrantableTo(String claim, ExpiryMode expiry, Optional<Holder> watched) {
        boolean free = owner == null
                || (owner.equals(claim) && revoked == null)
                || hasEnded(expiry)
                || holder().equals(watched);
        return free && !claim.equals(released);
    }

    /** The tokens of the next grant; those of the present one for a holder that asks again. */
    Tokens tokensFor(ClaimRequest request, ExpiryMode expiry) {
        if (isHeldBy(request.owner(), expiry)) {
            return new Tokens(fence, counter, acquiredMicros);
        }
        long first = Math.max(nowMicros, 1 + Math.max(counter, request.tokenFloor()));
        return new Tokens(first, first + request.tokenCount() - 1, nowMicros);
    }

    private boolean hasEnded(ExpiryMode expiry) {
        return expiry == ExpiryMode.BY_CLOCK ? expiresMicros <= nowMicros : leaseMicros <= 0;
    }

    /** How long the present lease lasts, or empty if the lock is free. */
    Optional<Duration> remaining() {
        return owner != null && expiresMicros > nowMicros
                ? Optional.of(Duration.of(expiresMicros - nowMicros, ChronoUnit.MICROS))
                : Optional.empty();
    }

    /** Why a claim that had the lock does not have it any more, as far as its row tells. */
    static Loss loss(Optional<LockRow> found, String claim) {
        LockRow row = found.orElse(null);
        if (row == null || row.owner == null) {
            return row != null && row.wasReleasedBy(claim)
                    ? new Loss(LossCause.EVICTED_OR_DELETED, "this claim has released it")
                    : new Loss(LossCause.EVICTED_OR_DELETED, "the table does not know this claim any more");
        }
        if (!row.owner.equals(claim)) {
            return new Loss(LossCause.TAKEN_OVER, "another client took it");
        }
        return ended(found);
    }

    /** Why a lease that nobody else took is over. */
    static Loss ended(Optional<LockRow> row) {
        return row.map(LockRow::revoked)
                .map(reason -> new Loss(LossCause.REVOKED, AsciiText.decode(reason)))
                .orElseGet(() -> new Loss(LossCause.EXPIRED, "the lease ended by the clock of the database"));
    }
}
