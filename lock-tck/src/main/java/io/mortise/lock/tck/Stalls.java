// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Notices when the machine lets this JVM stand still: a thread that wakes every few milliseconds, and knows when it did not. */
final class Stalls {
    private static final Duration STEP = Duration.ofMillis(4);
    /** Later than this is more than a scheduler's usual moment. */
    private static final long LATE = Duration.ofMillis(10).toNanos();

    private static final Stalls METER = new Stalls();

    private final AtomicLong stood = new AtomicLong();

    private Stalls() {
        Thread thread = new Thread(this::measure, "tck stall meter");
        thread.setDaemon(true);
        thread.start();
    }

    /** For how many nanoseconds this JVM has stood still since the first question. */
    static long nanos() {
        return METER.stood.get();
    }

    private void measure() {
        try {
            while (true) {
                long start = System.nanoTime();
                Pause.of(STEP);
                long late = System.nanoTime() - start - STEP.toNanos();
                if (late > LATE) {
                    stood.addAndGet(late);
                }
            }
        } catch (InterruptedException unwanted) {
            Thread.currentThread().interrupt();
        }
    }
}
