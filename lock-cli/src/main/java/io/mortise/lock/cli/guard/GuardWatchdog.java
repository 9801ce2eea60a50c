// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Watches the guard process while the command runs. If somebody has stopped the guard, the watchdog lets it continue;
 * if the guard does not kill the command in time, the watchdog does so a little later. Runs in a daemon thread.
 */
final class GuardWatchdog implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final CountDownLatch over = new CountDownLatch(1);
    private volatile long lastLineNanos = System.nanoTime();

    GuardWatchdog(Duration lease, Supplier<Duration> remaining, ProcessTree tree, Runnable resume) {
        Duration tooLate = Duration.ofMillis(Math.min(1000, lease.toMillis() / 10) / 2);
        long pauseNanos =
                Math.max(TimeUnit.MILLISECONDS.toNanos(10), tooLate.dividedBy(2).toNanos());
        Thread thread = new Thread(() -> watch(remaining, tooLate, pauseNanos, tree, resume), "mortise-guard-watchdog");
        thread.setDaemon(true);
        thread.start();
    }

    /** The guard has sent a line. */
    void heard() {
        lastLineNanos = System.nanoTime();
    }

    private void watch(
            Supplier<Duration> remaining, Duration tooLate, long pauseNanos, ProcessTree tree, Runnable resume) {
        try {
            while (!over.await(pauseNanos, TimeUnit.NANOSECONDS)) {
                if (remaining.get().compareTo(tooLate) <= 0) {
                    tree.kill();
                }
                if (System.nanoTime() - lastLineNanos > PATIENCE_NANOS) {
                    resume.run();
                    heard();
                }
            }
        } catch (InterruptedException neverSent) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
    }
}
