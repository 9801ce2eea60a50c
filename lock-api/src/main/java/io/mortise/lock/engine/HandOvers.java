// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

/**
 * A row of hand-overs inside one client: for at most one lease and so many times, the store is not asked. Immutable.
 *
 * @param left how many more there may be
 * @param since when the store granted the first of the row
 */
record HandOvers(int left, long since) {
    boolean allowAnother(long now, long lease) {
        return left > 0 && now - since < lease;
    }

    HandOvers next() {
        return new HandOvers(left - 1, since);
    }
}
