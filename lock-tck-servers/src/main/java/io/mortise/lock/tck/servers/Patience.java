// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waiting for what only asking can tell. */
final class Patience {
    /** Servers elect, replicate and start within seconds; machines that run tests are busy. */
    static final Duration LIMIT = Duration.ofMinutes(1);

    private static final long PAUSE_NANOS = 10_000_000;

    private Patience() {}

    /** Asks until it is so; an answer that cannot be had is no. */
    static void await(String what, Question<Boolean> question, Supplier<String> explanation) {
        awaitAnswer(what, () -> Optional.of(question.ask()).filter(answer -> answer), explanation);
    }

    /** Asks until there is an answer. */
    static <T> T awaitAnswer(String what, Question<Optional<T>> question, Supplier<String> explanation) {
        long start = System.nanoTime();
        String reason = "no";
        while (true) {
            try {
                Optional<T> answer = question.ask();
                if (answer.isPresent()) {
                    return answer.get();
                }
            } catch (IOException | RedisErrorException failure) {
                reason = failure.toString();
            }
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("after " + LIMIT.toSeconds() + " s still not: " + what + " (" + reason
                        + ")\n" + explanation.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw Interrupted.during("waiting for " + what);
            }
        }
    }

    /** A question to a server. */
    @FunctionalInterface
    interface Question<T> {
        T ask() throws IOException;
    }
}
