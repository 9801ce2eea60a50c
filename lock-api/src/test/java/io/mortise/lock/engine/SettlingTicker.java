// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Ticker;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Time that is driven by hand, and that goes on only when the given calls wait for a later moment, or have ended. Thread-safe. */
public final class SettlingTicker implements Ticker {
    private static final Duration STEP = Duration.ofMillis(10);
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final ManualTicker time = new ManualTicker();
    private final Map<Thread, Long> parked = new ConcurrentHashMap<>();

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public long wallMillis() {
        return time.wallMillis();
    }

    @Override
    public void parkUntil(Object blocker, long until) {
        parked.put(Thread.currentThread(), until);
        try {
            time.parkUntil(blocker, until);
        } finally {
            parked.remove(Thread.currentThread());
        }
    }

    /** Lets time pass at once, whoever is not ready for it. */
    public void advance(Duration duration) {
        time.advance(duration);
    }

    /** Blocks until each call waits for a later moment, or has ended. */
    public void settle(List<? extends BackgroundCall<?>> calls) {
        long start = System.nanoTime();
        while (!calls.stream().allMatch(this::isSettled)) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("a call neither waits nor ends");
            }
            LockSupport.parkNanos(this, 20_000);
        }
    }

    /** Blocks until each thread of all clients waits for a later moment, or for work. */
    public void settleClients() {
        long start = System.nanoTime();
        while (!clientThreads().allMatch(this::isSettled)) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("a thread of a client does not come to rest");
            }
            LockSupport.parkNanos(this, 20_000);
        }
    }

    private static Stream<Thread> clientThreads() {
        Thread[] all = new Thread[2 * Thread.activeCount() + 100];
        return Stream.of(all).limit(Thread.enumerate(all)).filter(thread -> thread.getName()
                .startsWith("mortise-"));
    }

    private boolean isSettled(Thread thread) {
        Long until = parked.get(thread);
        return until == null
                ? thread.getState() != Thread.State.RUNNABLE && thread.getState() != Thread.State.BLOCKED
                : until - nanos() > 0;
    }

    private boolean isSettled(BackgroundCall<?> call) {
        Long until = parked.get(call.thread());
        return call.isDone() || (until != null && until - nanos() > 0);
    }

    /** Lets time pass in small steps, until so much has passed or all of the calls have ended. */
    public void pass(Duration duration, List<? extends BackgroundCall<?>> calls) {
        long end = nanos() + duration.toNanos();
        settle(calls);
        while (end - nanos() > 0 && !calls.stream().allMatch(BackgroundCall::isDone)) {
            advance(STEP);
            settle(calls);
        }
    }
}
