// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.testing;

import io.mortise.lock.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still until a test moves it: hours of leases and renewals pass in milliseconds, the same at every run.
 * Thread-safe.
 *
 * <pre>{@code
 * ManualTicker ticker = new ManualTicker();
 * LockClient locks = LockClient.builder(new MemoryBackend(new MemoryStore(ticker))).ticker(ticker).build();
 * }</pre>
 */
public final class ManualTicker implements Ticker {
    private final Map<Thread, Long> parked = new ConcurrentHashMap<>();
    private volatile long nanos;
    private volatile long wallMillis = 1_700_000_000_000L;

    /** Starts at an arbitrary moment. */
    public ManualTicker() {}

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return wallMillis;
    }

    @Override
    public void parkUntil(Object blocker, long until) {
        parked.put(Thread.currentThread(), until);
        try {
            if (until - nanos > 0) {
                LockSupport.park(blocker);
            }
        } finally {
            parked.remove(Thread.currentThread());
        }
    }

    /**
     * Lets time pass and wakes the threads whose time has come. Does not wait until they have done anything.
     *
     * @param duration how much, zero or more
     */
    public synchronized void advance(Duration duration) {
        wallMillis += duration.toMillis();
        nanos += duration.toNanos();
        long now = nanos;
        parked.forEach((thread, until) -> {
            if (until - now <= 0) {
                LockSupport.unpark(thread);
            }
        });
    }

    /**
     * Lets the host sleep: wall time passes, monotonic time stands still.
     *
     * @param duration how much, zero or more
     */
    public synchronized void suspend(Duration duration) {
        wallMillis += duration.toMillis();
    }

    /** {@return how many threads wait for this ticker now, inside {@link #parkUntil}} */
    public int parked() {
        return parked.size();
    }

    /**
     * Blocks, in real time, until at least so many threads wait for this ticker.
     *
     * @param threads how many
     * @throws InterruptedException if the calling thread is interrupted
     * @throws IllegalStateException if they do not within ten seconds
     */
    public void awaitParked(int threads) throws InterruptedException {
        long start = System.nanoTime();
        while (parked.size() < threads) {
            if (System.nanoTime() - start > 10_000_000_000L) {
                throw new IllegalStateException("only " + parked.size() + " of " + threads + " threads wait");
            }
            LockSupport.parkNanos(this, 100_000);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
