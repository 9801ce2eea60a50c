// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import io.mortise.lock.engine.local.Nanos;
import java.time.Duration;

/**
 * The time limits of one call: how long it waits for other holders, and how long for a store that does not answer.
 * Immutable.
 *
 * @param waitLimit how long others may hold the lock, in nanoseconds; 0 for a single try
 * @param noAnswerLimit how long the store may give no answer at all, in nanoseconds: without limit of the wait, since its last
 *     answer; else beyond the end of the wait, for the answer to the last try
 * @param start when the call began
 */
public record TimeBudget(long waitLimit, long noAnswerLimit, long start) {
    boolean waits() {
        return waitLimit > 0;
    }

    boolean isLimited() {
        return waitLimit < Nanos.FOREVER;
    }

    /** How long the call may still wait for others. */
    long left(long now) {
        return isLimited() ? waitLimit - (now - start) : Nanos.FOREVER;
    }

    /** How long the next question to the store may take. */
    Duration forCall(long now, Duration callTimeout, Duration shortCall) {
        return Duration.ofNanos(Math.max(Nanos.of(shortCall), Math.min(Nanos.of(callTimeout), leftForQuestions(now))));
    }

    /** How long the call may still ask the store; zero or less when the next question is the last. */
    long leftForQuestions(long now) {
        return waits() ? left(now) : answersUntil() - now;
    }

    /** Since when the store must have been asked for its answer to tell what is so when the call ends. */
    long answersFrom() {
        return start + (isLimited() ? waitLimit : 0);
    }

    /** Until when a call that is not willing to wait for others waits for an answer, its own or that of another call. */
    long answersUntil() {
        return start + Math.min(Nanos.FOREVER, (isLimited() ? waitLimit : 0) + noAnswerLimit);
    }

    boolean endsWhileOthersHold(long now) {
        return left(now) <= 0;
    }

    /** No answer counts as "not yet" while time is left; a single try and a wait without limit have a limit of their own. */
    boolean endsAfterNoAnswer(long now, long answeredAt) {
        if (waits()) {
            return isLimited() ? left(now) <= 0 : now - answeredAt >= noAnswerLimit;
        }
        return now - answersUntil() >= 0;
    }
}
