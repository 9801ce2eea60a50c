// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts what the stress has done. Counting allocates nothing: it goes on when no memory is left. Thread-safe. */
@SuppressWarnings("EnumOrdinal") // an EnumMap would allocate
final class Tally {
    /** What is counted. */
    enum Count {
        ROUNDS,
        CALLS,
        GRANTS,
        REFUSALS,
        RENEWALS,
        ERRORS_INJECTED,
        MESSAGES_LOST,
        MESSAGES_LATE,
        STORE_STOPS,
        HEAP_EXHAUSTIONS,
        THREAD_SHORTAGES,
        CLOSES,
        REVOCATIONS,
        REVOCATIONS_HEARD,
        EXTENSIONS,
        INTERRUPTS,
        CANCELS,
        ABANDONED,
        LOSSES_TOLD,
        /** The slowest notice of a loss, in microseconds. */
        SLOWEST_NOTICE,
        /** The same among many listeners that each take a while, on a few threads. */
        SLOWEST_NOTICE_IN_CROWD
    }

    private static final AtomicLongArray COUNTS = new AtomicLongArray(Count.values().length);

    private Tally() {}

    static void add(Count count) {
        COUNTS.incrementAndGet(count.ordinal());
    }

    static void max(Count count, long value) {
        COUNTS.accumulateAndGet(count.ordinal(), value, Math::max);
    }

    static long get(Count count) {
        return COUNTS.get(count.ordinal());
    }

    static String text() {
        StringBuilder text = new StringBuilder();
        for (Count count : Count.values()) {
            if (count.compareTo(Count.SLOWEST_NOTICE) < 0) {
                text.append(count.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                        .append(' ')
                        .append(get(count))
                        .append(", ");
            }
        }
        return text + "slowest notice of a loss " + get(Count.SLOWEST_NOTICE) / 1000 + " ms, of " + Crowd.LEASES
                + " at once " + get(Count.SLOWEST_NOTICE_IN_CROWD) / 1000 + " ms";
    }
}
