// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.spi.support.PollDelay;
import java.time.Duration;
import java.util.Optional;

/**
 * Computes how long a waiter pauses between two attempts. Pauses grow, are random in their upper half, and never
 * outlast the holder's lease where the store told it. A store that nudges is asked seldom.
 */
final class Backoff {
    private static final Duration FIRST_POLL = Duration.ofMillis(1);
    private static final Duration LONGEST_POLL = Duration.ofMillis(50);
    private static final long FIRST_AFTER_NO_ANSWER = 20_000_000;
    private static final long LONGEST_AFTER_NO_ANSWER = 1_000_000_000;
    private static final long PROMPT_PAUSE = 4_000_000_000L;
    private static final long AFTER_EXPIRY = 1_000_000;

    private final Environment environment;
    private final boolean prompt;
    private final long safetyPoll;
    private final PollDelay poll = new PollDelay(FIRST_POLL, LONGEST_POLL);
    private long afterNoAnswer = FIRST_AFTER_NO_ANSWER;

    /** Begins with short pauses; a store that nudges but does not tell the holder's lease is asked three times in one of ours. */
    Backoff(Environment environment, boolean prompt, Duration lease) {
        this.environment = environment;
        this.prompt = prompt;
        this.safetyPoll = Math.max(AFTER_EXPIRY, lease.toNanos() / 3);
    }

    /**
     * The pause after a try that was refused.
     *
     * @param holderRemaining how much of the holder's lease is left, if the store told
     * @param wanted how long the store wants a waiter to pause that it does not nudge, if it said so
     */
    long whileOthersHold(Optional<Duration> holderRemaining, Optional<Duration> wanted) {
        afterNoAnswer = FIRST_AFTER_NO_ANSWER;
        long untilExpiry = holderRemaining
                .map(left -> Math.max(0, Nanos.of(left)) + AFTER_EXPIRY)
                .orElse(safetyPoll);
        if (prompt) {
            return Math.min(untilExpiry, longestPrompt());
        }
        long pause = wanted.map(Nanos::of).orElseGet(() -> poll.nextNanos(environment.random()));
        return holderRemaining.isPresent() ? Math.min(pause, untilExpiry) : pause;
    }

    /** A nudge can be lost: a store that nudges is asked again after four to five seconds all the same. */
    private long longestPrompt() {
        return PROMPT_PAUSE + environment.random().nextLong(PROMPT_PAUSE / 4);
    }

    long afterNoAnswer() {
        long pause = PollDelay.jittered(afterNoAnswer, environment.random());
        afterNoAnswer = Math.min(LONGEST_AFTER_NO_ANSWER, afterNoAnswer * 2);
        return pause;
    }
}
