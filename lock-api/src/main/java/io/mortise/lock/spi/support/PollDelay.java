// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Computes the pauses between polls: each is half again as long as the one before, up to a limit, and random in its
 * upper half, so that clients that began together drift apart. Not thread-safe.
 */
public final class PollDelay {
    private final long first;
    private final long longest;
    private long next;

    /**
     * Begins with the shortest pause.
     *
     * @param first the first pause, positive
     * @param longest the longest pause, at least {@code first}
     */
    public PollDelay(Duration first, Duration longest) {
        this.first = first.toNanos();
        this.longest = longest.toNanos();
        next = this.first;
    }

    /** {@return the next pause in nanoseconds, between half of the pause's length and all of it} */
    public long nextNanos() {
        return nextNanos(ThreadLocalRandom.current());
    }

    /**
     * {@return the next pause in nanoseconds, between half of the pause's length and all of it}
     *
     * @param random what chooses it
     */
    public long nextNanos(RandomGenerator random) {
        long pause = jittered(next, random);
        next = Math.min(longest, next + next / 2);
        return pause;
    }

    /** Begins again with the shortest pause. */
    public void reset() {
        next = first;
    }

    /**
     * {@return a random pause in nanoseconds, between half of its greatest length and all of it}
     *
     * @param nanos its greatest length, 0 or more
     */
    public static long jittered(long nanos) {
        return jittered(nanos, ThreadLocalRandom.current());
    }

    /**
     * {@return a random pause in nanoseconds, between half of its greatest length and all of it}
     *
     * @param nanos its greatest length, 0 or more
     * @param random what chooses it
     */
    public static long jittered(long nanos, RandomGenerator random) {
        return nanos / 2 + random.nextLong(nanos / 2 + 1);
    }
}
