// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import java.util.concurrent.ThreadLocalRandom;

/** When to renew: a third of what was granted after it was asked for, and soon again if nobody answered. */
final class RenewalPlan {
    private RenewalPlan() {}

    /** Rounded down to a thirtieth of it, so that leases of one length fall due together and share a batch. */
    static long next(long asked, long granted) {
        long grid = Math.max(1, granted / 30);
        return Math.floorDiv(asked + granted / 3, grid) * grid;
    }

    /** About a twelfth of it later, not all at the same moment. */
    static long again(long now, long granted) {
        long pause = Math.max(2, granted / 12);
        return now + pause / 2 + ThreadLocalRandom.current().nextLong(pause);
    }
}
