// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long a waiter pauses between two tries. Pauses grow, are random in their upper half, and never outlast the holder's
 * lease where the store told it. A store that nudges is left alone until then.
 */
final class Backoff {
    private static final long FIRST_POLL = 2_000_000;
    private static final long LONGEST_POLL = 50_000_000;
    private static final long FIRST_SILENCE = 20_000_000;
    private static final long LONGEST_SILENCE = 1_000_000_000;
    private static final long AFTER_EXPIRY = 1_000_000;

    private final boolean prompt;
    private final long safetyPoll;
    private long poll = FIRST_POLL;
    private long silence = FIRST_SILENCE;

    /** Between two tries; a store that nudges but does not tell the holder's lease is asked thrice in one of ours. */
    Backoff(boolean prompt, Duration lease) {
        this.prompt = prompt;
        this.safetyPoll = Math.max(AFTER_EXPIRY, lease.toNanos() / 3);
    }

    long afterRefusal(Optional<Duration> holderRemaining) {
        silence = FIRST_SILENCE;
        long untilExpiry = holderRemaining
                .map(left -> Math.max(0, left.toNanos()) + AFTER_EXPIRY)
                .orElse(safetyPoll);
        if (prompt) {
            return untilExpiry;
        }
        long pause = jittered(poll);
        poll = Math.min(LONGEST_POLL, poll + poll / 2);
        return holderRemaining.isPresent() ? Math.min(pause, untilExpiry) : pause;
    }

    long afterSilence() {
        long pause = jittered(silence);
        silence = Math.min(LONGEST_SILENCE, silence * 2);
        return pause;
    }

    private static long jittered(long nanos) {
        return nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
    }
}
