// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.jdbc.sql.AsciiText;
import io.mortise.lock.jdbc.sql.ExpiryMode;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.spi.ClaimRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The row of one lock as it was read from the table. Times are microseconds since 1970 by the clock of the database.
 *
 * @param owner who has the lock, or had it until its lease ended; null if it was released
 * @param released who released it last, or must not get it any more
 * @param leftMicros what was left of the lease when it was released, 0 or less if nothing
 * @param expiresMicros when the lease ends
 * @param revoked why the owner's lease may not be renewed; null if it may
 * @param fence the first token of the last grant
 * @param counter its last token
 * @param version changes with each change
 * @param acquiredMicros when it was granted
 * @param leaseMicros the length of the lease
 * @param nowMicros when this was read
 */
public record LockRow(
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

    /**
     * The tokens of a grant.
     *
     * @param fence the first
     * @param counter the last
     * @param sinceMicros when it was granted
     */
    record Tokens(long fence, long counter, long sinceMicros) {}

    static Optional<LockRow> find(Handle handle, String look, LockKey key) {
        return handle.createQuery(look)
                .bind("key", key.key())
                .map((row, context) -> of(row))
                .findOne();
    }

    private static LockRow of(ResultSet row) throws SQLException {
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

    boolean isHeldBy(String claim, ExpiryMode expiry) {
        return claim.equals(owner) && !hasEnded(expiry);
    }

    boolean wasReleasedBy(String claim) {
        return claim.equals(released) && owner == null;
    }

    /** As the statements of other databases ask within the table. */
    boolean isGrantableTo(String claim, ExpiryMode expiry, Optional<ObservedHolder> watched) {
        boolean free = owner == null
                || (owner.equals(claim) && revoked == null)
                || hasEnded(expiry)
                || watched.filter(new ObservedHolder(owner, version)::equals).isPresent();
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
        return expiry == ExpiryMode.BY_CLOCK && expiresMicros <= nowMicros;
    }

    /** How long the present lease lasts, or empty if the lock is free. */
    Optional<Duration> remaining() {
        return owner != null && expiresMicros > nowMicros
                ? Optional.of(Duration.of(expiresMicros - nowMicros, ChronoUnit.MICROS))
                : Optional.empty();
    }

    /** Why a claim that had the lock does not have it any more, as far as its row tells. */
    static Loss loss(@Nullable LockRow row, String claim) {
        if (row == null || row.owner == null) {
            return row != null && row.wasReleasedBy(claim)
                    ? new Loss(LossCause.EVICTED_OR_DELETED, "this claim has released it")
                    : new Loss(LossCause.EVICTED_OR_DELETED, "the table does not know this claim any more");
        }
        if (!row.owner.equals(claim)) {
            return new Loss(LossCause.TAKEN_OVER, "another client took it");
        }
        return ended(row.revoked);
    }

    /** Why a lease that nobody else took is over. */
    static Loss ended(@Nullable String revoked) {
        return revoked != null
                ? new Loss(LossCause.REVOKED, AsciiText.decode(revoked))
                : new Loss(LossCause.EXPIRED, "the lease ended by the clock of the database");
    }
}
