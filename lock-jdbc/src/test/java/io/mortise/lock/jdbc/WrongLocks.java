// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.jdbc.sql.Dialect;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;

/** What tutorials teach. */
final class WrongLocks {
    private WrongLocks() {}

    /** W9: reads that the lock is free, and does not compare the version when it writes. */
    static final class ForgetsTheVersion extends SmallLock {
        ForgetsTheVersion(String url, Dialect dialect) {
            super(url, dialect);
        }

        @Override
        boolean take(Handle handle, String key, String owner, long ends, Row seen) {
            // The thread is not running for a while, as threads do at the worst moment.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(15));
            return handle.execute(
                            "update small_locks set owner = ?, ends = ?, version = version + 1 where lock_key = ?",
                            owner,
                            ends,
                            key)
                    > 0;
        }
    }

    /** W9: the end of a lease is told by the clock of the application, and each client's is an hour ahead of the last one's. */
    static final class TrustsClientClocks extends SmallLock {
        private static final AtomicInteger CLIENTS = new AtomicInteger();
        private final long aheadMicros = TimeUnit.HOURS.toMicros(CLIENTS.getAndIncrement());

        TrustsClientClocks(String url, Dialect dialect) {
            super(url, dialect);
        }

        @Override
        long now(Handle handle) {
            return System.nanoTime() / 1_000 + aheadMicros;
        }
    }
}
