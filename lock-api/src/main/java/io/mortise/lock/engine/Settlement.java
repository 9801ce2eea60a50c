// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Ticker;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Releasing one claim, with a few tries in one time budget. Remembers that an earlier release was not answered: a later
 * "not held" then means that it had worked. Used by one thread at a time.
 */
final class Settlement {
    private static final int TRIES = 3;
    private static final long PAUSE_NANOS = 10_000_000;

    private final Claim claim;
    private boolean doubt;
    private @Nullable CompletionStage<?> unfinished;

    Settlement(Claim claim) {
        this.claim = claim;
    }

    /** A call on the claim was given up and may still change the store: release once more when it has ended. */
    void follow(CompletionStage<?> call) {
        CompletionStage<?> earlier = unfinished;
        unfinished = earlier == null
                ? call
                : earlier.handle((value, failure) -> true)
                        .thenCombine(call.handle((value, failure) -> true), (one, other) -> true);
    }

    /** When all calls that were given up have ended; null if there are none. */
    @Nullable
    CompletionStage<?> unfinished() {
        return unfinished;
    }

    /**
     * Releases, deaf to interrupts. True if the claim held until now, or until a release that was not answered.
     *
     * @throws RuntimeException the last failure, if the store did not answer in the time
     */
    boolean release(Ticker ticker, Duration budget) {
        boolean interrupted = Thread.interrupted();
        try {
            long end = ticker.nanos() + budget.toNanos();
            for (int tries = 1; ; tries++) {
                try {
                    boolean held = claim.release(Duration.ofNanos(Math.max(1_000_000, end - ticker.nanos())));
                    return held || doubt;
                } catch (RuntimeException unanswered) {
                    doubt = true;
                    if (unanswered instanceof BackendException failure) {
                        failure.end().ifPresent(this::follow);
                    }
                    long pause = PAUSE_NANOS * tries;
                    if (tries == TRIES || end - ticker.nanos() <= pause || unfinished != null) {
                        throw unanswered;
                    }
                    LockSupport.parkNanos(this, pause);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
