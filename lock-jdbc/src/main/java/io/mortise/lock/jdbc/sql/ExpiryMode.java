// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import java.util.Map;

/**
 * Says which clock ends leases: the database's, or the clock of each waiting client, which watches the holder's row for a
 * whole lease. The table stores the mode, because the leases of clients in different modes would
 * overlap.
 *
 * <p>Its pieces of SQL: {@code {ended}}, the holder's lease has ended, so that another may take the lock; {@code {again}},
 * the asker has the lock already, and the answer to its first request was lost; {@code {held}}, the lease has not ended;
 * {@code {left}}, what is left of a lease that is released, positive; {@code {dead}}, nobody needs the row any more.
 */
public enum ExpiryMode {
    /**
     * The clock of the database: a lease that is not renewed ends at {@code expires_us}. A lock that was revoked at once has a lease
     * of no length: a statement that waited for its row reads the clock of its own beginning, to which the lease has not ended.
     */
    BY_CLOCK(
            "clock",
            Map.of(
                    "ended", "t.expires_us <= excluded.acquired_us",
                    "again", "t.owner = excluded.owner and t.expires_us > excluded.acquired_us",
                    "held", "and expires_us > {now} and lease_us > 0",
                    "left", "expires_us - {now}",
                    "dead", """
                            and expires_us < case when owner is null then {now} - 5000000 else {now} - 600000000 end
                            and counter < {now} - 5000000""")),

    /**
     * Whoever wants the lock, and has watched the holder's version stay the same for a whole lease. A lock that was revoked
     * at once has a lease of no length.
     */
    BY_WATCHING(
            "watch",
            Map.of(
                    "ended", "(t.lease_us <= 0 or (t.owner = :watchedOwner and t.version = :watchedVersion))",
                    "again", "t.owner = excluded.owner and t.lease_us > 0",
                    "held", "and lease_us > 0",
                    "left", "lease_us",
                    "dead", "and owner is null and expires_us < {now} - 5000000"));

    /** How the table's own row says it. */
    final String label;

    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    final Map<String, String> pieces;

    ExpiryMode(String label, Map<String, String> pieces) {
        this.label = label;
        this.pieces = pieces;
    }
}
