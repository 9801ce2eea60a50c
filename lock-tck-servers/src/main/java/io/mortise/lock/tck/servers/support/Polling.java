// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.support;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Asks a server again and again until it gives the expected answer. Throws {@link IllegalStateException} if it does not do so in time,
 * or if the thread is interrupted. A question that fails with an {@link IOException} is asked again.
 *
 * @param limit how long to ask
 * @param explanation what the failure says besides, such as a server's output
 */
public record Polling(Duration limit, Supplier<String> explanation) {
    private static final long PAUSE_NANOS = 10_000_000;

    /** Asks for at most a minute: servers elect, replicate and start within seconds, but machines that run tests are busy. */
    public Polling(Supplier<String> explanation) {
        this(Duration.ofMinutes(1), explanation);
    }

    /** Asks until the answer is yes; {@code what} says in the message of the failure what is waited for. */
    public void until(String what, Question<Boolean> question) {
        untilPresent(what, () -> Optional.of(question.ask()).filter(answer -> answer));
    }

    /** Asks until there is an answer; {@code what} says in the message of the failure what is waited for. */
    public <T> T untilPresent(String what, Question<Optional<T>> question) {
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
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new IllegalStateException("after " + limit.toSeconds() + " s still not: " + what + " (" + reason
                        + ")\n" + explanation.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw InterruptedWaitException.during("waiting for " + what);
            }
        }
    }

    /** A question to a server. */
    @FunctionalInterface
    public interface Question<T> {
        /** Asks once; throws if the server does not answer. */
        T ask() throws IOException;
    }
}
