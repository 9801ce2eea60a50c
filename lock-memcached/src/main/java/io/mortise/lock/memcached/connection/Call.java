// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One call of the SPI: when it must end, and what an interrupt of its thread means. Used by one thread. */
public final class Call implements AutoCloseable {
    /** That the thread was interrupted during a call that heeds it; the flag is cleared. */
    public static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Duration atMost;
    private final boolean interruptible;
    private final long start = System.nanoTime();
    private boolean interrupted;

    private Call(Duration atMost, boolean interruptible) {
        this.atMost = atMost;
        this.interruptible = interruptible;
        heedInterrupt();
    }

    /** One that ends when its thread is interrupted. */
    public static Call interruptible(Duration atMost) {
        return new Call(atMost, true);
    }

    /** One that leaves interrupts for later: the flag is set again when it is closed. */
    public static Call calm(Duration atMost) {
        return new Call(atMost, false);
    }

    public Duration atMost() {
        return atMost;
    }

    public long leftNanos() {
        return atMost.toNanos() - (System.nanoTime() - start);
    }

    /** Waits for what another thread completes, always with success or a {@link BackendException}. */
    public <T> T await(CompletableFuture<T> future) throws TimeoutException {
        while (true) {
            try {
                return future.get(Math.max(0, leftNanos()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException now) {
                heedInterrupt(true);
            } catch (ExecutionException failed) {
                Throwable failure = failed.getCause() == null ? failed : failed.getCause();
                throw new BackendException(String.valueOf(failure.getMessage()), failure);
            }
        }
    }

    /** Waits for an element; null when the time is over. */
    public <T> @Nullable T poll(BlockingQueue<T> queue) {
        while (true) {
            try {
                return queue.poll(Math.max(0, leftNanos()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException now) {
                heedInterrupt(true);
            }
        }
    }

    /** Lets some time pass, within the call's. */
    public void pause(long nanos) {
        LockSupport.parkNanos(this, Math.min(nanos, leftNanos()));
        heedInterrupt();
    }

    private void heedInterrupt() {
        heedInterrupt(Thread.interrupted());
    }

    private void heedInterrupt(boolean now) {
        if (now && interruptible) {
            throw new Interrupted();
        }
        interrupted |= now;
    }

    @Override
    public void close() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
