// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the table said about one name. Times are microseconds since 1970 by the clock of the database.
 *
 * @param owner who has the lock, or had it until its lease ended; null if it was released
 * @param released who released it last, or must not get it any more
 * @param leftMicros what was left of the lease when it was released, 0 or less if nothing
 * @param expiresMicros when the lease ends
 * @param revoked why the owner's lease may not be renewed; null if it may
 * @param nowMicros when this was read
 */
record LockRow(
        @Nullable String owner,
        @Nullable String released,
        long leftMicros,
        long expiresMicros,
        @Nullable String revoked,
        long nowMicros) {

    boolean isHeldByAnother(String claim) {
        return owner != null && !owner.equals(claim) && expiresMicros > nowMicros;
    }

    boolean wasReleasedBy(String claim) {
        return claim.equals(released) && owner == null;
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
