// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.support;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Asks a server again and again until it gives the expected answer, for at most a minute. */
public final class Polling {
    /** Servers elect, replicate and start within seconds; machines that run tests are busy. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final long PAUSE_NANOS = 10_000_000;

    private Polling() {}

    /**
     * Asks until the answer is yes. A failed question counts as a no.
     *
     * @param what what is waited for, in the message of the failure
     * @param question asks once
     * @param explanation what the failure says besides, such as a server's output
     * @throws IllegalStateException if it is still no after a minute, or if the thread is interrupted
     */
    public static void until(String what, Question<Boolean> question, Supplier<String> explanation) {
        untilPresent(what, () -> Optional.of(question.ask()).filter(answer -> answer), explanation);
    }

    /**
     * Asks until there is an answer. A failed question is asked again.
     *
     * @param what what is waited for, in the message of the failure
     * @param question asks once
     * @param explanation what the failure says besides, such as a server's output
     * @param <T> the type of the answer
     * @return the answer
     * @throws IllegalStateException if there is none after a minute, or if the thread is interrupted
     */
    public static <T> T untilPresent(String what, Question<Optional<T>> question, Supplier<String> explanation) {
        long start = System.nanoTime();
        String reason = "no";
        while (true) {
            try {
                Optional<T> answer = question.ask();
                if (answer.isPresent()) {
                    return answer.get();
                }
            } catch (IOException failure) {
                reason = failure.toString();
            }
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("after " + LIMIT.toSeconds() + " s still not: " + what + " (" + reason
                        + ")\n" + explanation.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw InterruptedWaitException.during("waiting for " + what);
            }
        }
    }

    /**
     * A question to a server.
     *
     * @param <T> the type of the answer
     */
    @FunctionalInterface
    public interface Question<T> {
        /**
         * Asks once.
         *
         * @return the answer
         * @throws IOException if the server does not answer
         */
        T ask() throws IOException;
    }
}
