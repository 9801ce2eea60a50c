// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The time of the stress in nanoseconds, and how much of it does not count: the machine stood still, or there was no memory or no
 * thread to be had.
 */
final class Time {
    /** How late something may be that should come at once, beside what does not count. */
    static final long SLACK = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long START = System.nanoTime() - 1;
    private static final long STEP = 4_000_000;
    private static final long LATE = 10_000_000;
    private static final AtomicLong STOOD = new AtomicLong();
    private static volatile long looked;
    private static volatile long shortSince = Long.MAX_VALUE;

    private Time() {}

    static long now() {
        return System.nanoTime() - START;
    }

    /** Begins to measure how long this machine stands still. */
    static void measure() {
        looked = now();
        start("stress time", () -> {
            while (true) {
                LockSupport.parkNanos(STEP);
                look();
            }
        });
    }

    /** A daemon thread with a small stack. */
    static Thread start(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 256 << 10);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static synchronized void look() {
        long now = now();
        long late = now - looked - STEP;
        looked = now;
        if (late > LATE && shortSince == Long.MAX_VALUE) {
            STOOD.addAndGet(late);
        }
    }

    /** From now on memory or threads are short. */
    static void shortage() {
        look();
        shortSince = now();
    }

    static synchronized void plenty() {
        looked = now();
        STOOD.addAndGet(looked - shortSince);
        shortSince = Long.MAX_VALUE;
    }

    /** How many nanoseconds until now do not count. */
    static synchronized long excused() {
        look();
        return STOOD.get() + (shortSince == Long.MAX_VALUE ? 0 : now() - shortSince);
    }

    /** A limit that counts only the time that counts. */
    static final class Limit {
        private final long begin = now();
        private final long excused = excused();
        private final long nanos;

        Limit(long nanos) {
            this.nanos = nanos;
        }

        Limit(Duration limit) {
            this(limit.toNanos());
        }

        boolean isOver() {
            return now() - begin - (excused() - excused) > nanos;
        }
    }

    static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
