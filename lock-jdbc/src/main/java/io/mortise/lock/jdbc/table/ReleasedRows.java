// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.sql.LockKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Remembers for some seconds which locks this client has released that nobody else wanted: the row of such a lock is there, and most
 * likely free. It may forget one, or take one for another; then a try costs one statement more. Thread-safe.
 */
final class ReleasedRows {
    /** Less than the five seconds after which a row may be swept. */
    private static final int KEPT_MILLIS = 4_000;

    private static final int SLOTS = 1024;

    /** In each the hash of a key, and the lower half of the time when it was released. */
    private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

    private final LongSupplier nanos;

    /** {@code nanos}: a clock that only goes forward. */
    ReleasedRows(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void released(LockKey key) {
        int hash = key.key().hashCode();
        slots.setOpaque(slot(hash), (long) hash << Integer.SIZE | Integer.toUnsignedLong(nowMillis()));
    }

    boolean isLikelyThere(LockKey key) {
        int hash = key.key().hashCode();
        long remembered = slots.getOpaque(slot(hash));
        int ageMillis = nowMillis() - (int) remembered;
        return (int) (remembered >> Integer.SIZE) == hash && ageMillis >= 0 && ageMillis < KEPT_MILLIS;
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> Short.SIZE) & SLOTS - 1;
    }

    private int nowMillis() {
        return (int) TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong());
    }
}
