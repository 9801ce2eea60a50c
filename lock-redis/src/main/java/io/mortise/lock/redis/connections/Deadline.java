// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * By when a call must have ended. Immutable.
 *
 * @param end in the time of {@link System#nanoTime()}
 * @param atMost how long the call may take in all
 */
public record Deadline(long end, Duration atMost) {
    public static Deadline in(Duration atMost) {
        return new Deadline(System.nanoTime() + atMost.toNanos(), atMost);
    }

    /** A deadline for a part of the call: the time that is left, divided. */
    public Deadline part(int parts) {
        return in(Duration.ofNanos(Math.max(1, leftNanos() / parts)));
    }

    /** This deadline, or an earlier one that leaves so much time from now. */
    public Deadline noLaterThan(Duration limit) {
        return in(Duration.ofNanos(Math.max(1, Math.min(limit.toNanos(), leftNanos()))));
    }

    public long leftNanos() {
        return end - System.nanoTime();
    }

    /**
     * What is left, for a socket: at least one millisecond, since zero means for ever there.
     *
     * @throws BackendException if nothing is left
     */
    public int leftMillis() {
        long left = leftNanos();
        if (left <= 0) {
            throw over();
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
    }

    BackendException over() {
        return new BackendException("Redis did not answer within " + atMost.toMillis() + " ms", null);
    }

    /** Makes a call; leaves an interrupt for later. */
    public <T> T uninterruptibly(Callable<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return call.call();
                } catch (InterruptedException later) {
                    interrupted = true;
                    leftMillis();
                }
            }
        } catch (Exception failure) {
            throw RedisFailures.unanswered(failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
