// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.sql.LockKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides that a lease has ended when its holder has not renewed it for a whole lease, measured by this JVM's monotonic
 * clock alone, from the time at which this JVM first received the holder's row. Remembers the locks that were looked at
 * last, so that tries without waiting find ended leases, too. Thread-safe.
 */
public final class HolderWatch {
    private static final int MOST = 10_000;
    private static final long LEAST_NANOS = 2_000_000;

    /** Two clocks of different hosts differ by less than one part in so many. */
    private static final int DRIFT_PART = 50;

    private record Seen(LockRow.Holder holder, long leaseMicros, long sinceNanos) {
        long leftNanos() {
            long lease = leaseMicros * 1000;
            return lease + lease / DRIFT_PART + LEAST_NANOS - (System.nanoTime() - sinceNanos);
        }
    }

    private final Map<String, Seen> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > MOST;
        }
    };

    /** A row has just been read. */
    synchronized void saw(LockKey key, LockRow row) {
        Optional<LockRow.Holder> holder = row.holder();
        if (holder.isEmpty()) {
            seen.remove(key.key());
        } else if (!holder.equals(Optional.ofNullable(seen.get(key.key())).map(Seen::holder))) {
            seen.put(key.key(), new Seen(holder.get(), row.leaseMicros(), System.nanoTime()));
        }
    }

    /** The holder that was watched for its whole lease. */
    synchronized Optional<LockRow.Holder> ended(LockKey key) {
        return Optional.ofNullable(seen.get(key.key()))
                .filter(known -> known.leftNanos() <= 0)
                .map(Seen::holder);
    }

    /** How long the present holder must still be watched. */
    synchronized Optional<Duration> left(LockKey key) {
        return Optional.ofNullable(seen.get(key.key())).map(known -> Duration.ofNanos(Math.max(0, known.leftNanos())));
    }
}
