// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

/**
 * Whose clock decides that a lease has ended: the database's, or that of each waiting client, which watches the
 * holder's row for a whole lease. The table stores the mode, because the leases of clients in different modes would
 * overlap.
 */
public enum ExpiryMode {
    /** The clock of the database: a lease that is not renewed ends at {@code expires_us}. */
    BY_CLOCK(
            "clock",
            "t.expires_us <= excluded.acquired_us",
            "t.owner = excluded.owner and t.expires_us > excluded.acquired_us",
            " and expires_us > {now}",
            "expires_us - {now}",
            " and expires_us < case when owner is null then {now} - 5000000 else {now} - 600000000 end"
                    + " and counter < {now} - 5000000"),

    /** Whoever wants the lock, and has watched the holder's version stay the same for a whole lease. */
    BY_WATCHING(
            "watch",
            "(t.owner = :watchedOwner and t.version = :watchedVersion)",
            "t.owner = excluded.owner",
            "",
            "lease_us",
            " and owner is null and expires_us < {now} - 5000000");

    /** How the table's own row says it. */
    final String label;

    /** SQL: the holder's lease has ended, so that another may take the lock. */
    final String ended;

    /** SQL: the asker has the lock already; the answer to its first request was lost. */
    final String again;

    /** SQL: the lease has not ended. */
    final String held;

    /** SQL: what is left of a lease that is released; positive. */
    final String left;

    /** SQL: nobody needs the row any more. */
    final String dead;

    ExpiryMode(String label, String ended, String again, String held, String left, String dead) {
        this.label = label;
        this.ended = ended;
        this.again = again;
        this.held = held;
        this.left = left;
        this.dead = dead;
    }
}
