// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.time;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/** Measures how long the machine kept this JVM from running: a thread wakes every few milliseconds, and counts when it woke late. */
public final class StallMeter {
    private static final Duration STEP = Duration.ofMillis(4);
    /** Later than this is more than a scheduler's usual moment. */
    private static final long LATE = Duration.ofMillis(10).toNanos();

    /**
     * The system property with the number of threads for each processor from which on it is crowded, {@value #DEFAULT_CROWD} by default:
     * a thread that has used up its turn waits then for longer than a tenth of the suite's leases, while one that slept is woken at
     * once, and sees nothing of it.
     */
    public static final String CROWD = "mortise.tck.crowd";

    private static final int DEFAULT_CROWD = 12;

    /** How many stalls are remembered one by one. */
    private static final int KEPT = 10_000;

    private static final StallMeter METER = new StallMeter();

    private final Deque<Stall> latest = new ArrayDeque<>();
    private volatile LongConsumer listener = unused -> {};
    private long looked = System.nanoTime();
    private int wanted;
    private long stood;

    private record Stall(long end, long nanos) {}

    private StallMeter() {
        Thread thread = new Thread(this::measure, "tck stall meter");
        thread.setDaemon(true);
        thread.start();
    }

    /** For how many nanoseconds this JVM has stood still since the first question, and its children as far as is known. */
    public static long nanos() {
        return METER.look();
    }

    /** The longest stall of this JVM, in nanoseconds, that ended after a value of {@link System#nanoTime}; 0 if there was none. */
    public static long longestSince(long when) {
        METER.look();
        synchronized (METER) {
            return METER.latest.stream()
                    .filter(stall -> stall.end() - when > 0)
                    .mapToLong(Stall::nanos)
                    .max()
                    .orElse(0);
        }
    }

    /**
     * Whether so many threads of this machine have wanted its processors in the last minute that a single one can stand still
     * unseen; false where the system does not tell.
     */
    public static boolean isCrowded() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load
                >= Integer.getInteger(CROWD, DEFAULT_CROWD)
                        * Runtime.getRuntime().availableProcessors();
    }

    /** Counts the stall of a child, too. */
    public static void add(long nanos) {
        synchronized (METER) {
            METER.stood += nanos;
        }
    }

    /** Runs something that makes this JVM stand still because the suite wants it to, such as a garbage collection: that is no stall. */
    public static void standStill(Runnable pause) {
        METER.want(1);
        try {
            pause.run();
        } finally {
            METER.want(-1);
        }
    }

    /** Tells somebody how many nanoseconds each stall was, at its end or at the next question. */
    public static void tell(LongConsumer listener) {
        METER.listener = listener;
    }

    private synchronized void want(int more) {
        look();
        wanted += more;
    }

    /** Whoever wakes first after a stall counts it: the one who asks may be sooner than the meter's thread. */
    private synchronized long look() {
        long now = System.nanoTime();
        long late = now - looked - STEP.toNanos();
        looked = now;
        if (late > LATE && wanted == 0) {
            stood += late;
            latest.addLast(new Stall(now, late));
            if (latest.size() > KEPT) {
                latest.removeFirst();
            }
            listener.accept(late);
        }
        return stood;
    }

    private void measure() {
        try {
            while (true) {
                Pause.of(STEP);
                look();
            }
        } catch (InterruptedException unwanted) {
            Thread.currentThread().interrupt();
        }
    }
}
