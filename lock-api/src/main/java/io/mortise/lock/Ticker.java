// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.util.concurrent.locks.LockSupport;

/**
 * The clock of a lock client: tells the monotonic time and the wall-clock time, and parks threads until a given time.
 * Replaceable, so that tests can drive time by hand. Thread-safe.
 */
public interface Ticker {
    /**
     * {@return monotonic time in nanoseconds since an arbitrary moment; never goes back} Only differences mean
     * anything.
     */
    long nanos();

    /**
     * {@return wall time in milliseconds; runs on while the host sleeps, and may jump} Only used to notice that the
     * host slept while monotonic time stood still, which shortens leases.
     */
    long wallMillis();

    /**
     * Blocks the calling thread like {@link java.util.concurrent.locks.LockSupport#park(Object)}: until it is unparked or
     * interrupted, until {@link #nanos()} reaches {@code until}, or for no reason.
     *
     * @param blocker what the thread waits for, for thread dumps
     * @param until at most until this moment; returns at once if it has passed
     */
    void parkUntil(Object blocker, long until);

    /** {@return the clocks of this JVM, which clients use unless told otherwise} */
    static Ticker system() {
        enum SystemTicker implements Ticker {
            INSTANCE;

            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }

            @Override
            public void parkUntil(Object blocker, long until) {
                LockSupport.parkNanos(blocker, until - System.nanoTime());
            }
        }
        return SystemTicker.INSTANCE;
    }
}
