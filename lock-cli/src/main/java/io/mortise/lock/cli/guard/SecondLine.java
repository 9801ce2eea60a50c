// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Watches the guard while the command runs: lets it run on if somebody has stopped it, and kills the command in its
 * place, a little later than it would, if it does not. A daemon thread.
 */
final class SecondLine implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final CountDownLatch over = new CountDownLatch(1);
    private volatile long lastWordNanos = System.nanoTime();

    SecondLine(Duration lease, Supplier<Duration> remaining, ProcessTree tree, Runnable thaw) {
        Duration tooLate = Duration.ofMillis(Math.min(1000, lease.toMillis() / 10) / 2);
        long pauseNanos =
                Math.max(TimeUnit.MILLISECONDS.toNanos(10), tooLate.dividedBy(2).toNanos());
        Thread thread = new Thread(() -> watch(remaining, tooLate, pauseNanos, tree, thaw), "mortise-second-line");
        thread.setDaemon(true);
        thread.start();
    }

    /** The guard has said something. */
    void heard() {
        lastWordNanos = System.nanoTime();
    }

    private void watch(
            Supplier<Duration> remaining, Duration tooLate, long pauseNanos, ProcessTree tree, Runnable thaw) {
        try {
            while (!over.await(pauseNanos, TimeUnit.NANOSECONDS)) {
                if (remaining.get().compareTo(tooLate) <= 0) {
                    tree.kill();
                }
                if (System.nanoTime() - lastWordNanos > PATIENCE_NANOS) {
                    thaw.run();
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
