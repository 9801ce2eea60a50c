// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

/**
 * A row of hand-overs inside one client: for at most one lease and so many times, the store is not asked; until a holder
 * forbids it. Thread-safe.
 */
final class HandOvers {
    private final int left;
    private final long since;
    private volatile boolean forbidden;

    /**
     * A row that may begin.
     *
     * @param left how many there may be
     * @param since when the store granted the first of the row
     */
    HandOvers(int left, long since) {
        this.left = left;
        this.since = since;
    }

    boolean allowAnother(long now, long lease) {
        return !forbidden && left > 0 && now - since < lease;
    }

    void forbid() {
        forbidden = true;
    }

    HandOvers next() {
        return new HandOvers(left - 1, since);
    }
}
