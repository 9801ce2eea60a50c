// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiPredicate;

/** A claim of a {@link NaiveQuorum}: every try is a new round, unless the last one holds still. */
final class NaiveClaim implements Claim {
    private final NaiveQuorum quorum;
    private final ClaimRequest request;

    /** Of the last round: whom it asked, and what they said. */
    private final Map<Claim, Answer> seats = new LinkedHashMap<>();

    private boolean granted;

    NaiveClaim(NaiveQuorum quorum, ClaimRequest request) {
        this.quorum = quorum;
        this.request = request;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        long asked = System.nanoTime();
        long end = asked + atMost.toNanos();
        if (granted && renew(halfUntil(end))) {
            return true;
        }
        granted = false;
        seats.clear();
        try {
            for (int i = 0; i < quorum.size() && number(Answer.YES) < quorum.enough(); i++) {
                ask(quorum.seat(i, request), end);
            }
            granted = number(Answer.YES) >= quorum.enough() && quorum.isInTime(asked, request.lease());
        } finally {
            if (!granted) {
                giveUp(end);
            }
        }
        if (number(Answer.YES) + number(Answer.NO) < quorum.enough()) {
            throw new BackendException(number(Answer.UNKNOWN) + " of " + quorum.size() + " did not answer", null);
        }
        return granted;
    }

    private void ask(Claim seat, long end) throws InterruptedException {
        seats.put(seat, Answer.UNKNOWN);
        try {
            seats.put(seat, seat.tryAcquire(halfUntil(end)) ? Answer.YES : Answer.NO);
        } catch (BackendException silent) {
            // It stays unknown.
        }
    }

    /** A member that cannot be told keeps its part until the lease ends. */
    private void giveUp(long end) {
        seats.forEach((seat, answer) -> {
            try {
                if (quorum.isReleased(answer)) {
                    seat.release(halfUntil(end));
                }
            } catch (BackendException silent) {
                // Others are told all the same.
            }
        });
    }

    @Override
    public boolean renew(Duration atMost) {
        long asked = System.nanoTime();
        return granted
                && isSaidBy(quorum.enoughToRenew(), Claim::renew, atMost)
                && quorum.isInTime(asked, request.lease());
    }

    @Override
    public boolean release(Duration atMost) {
        return isSaidBy(quorum.enough(), Claim::release, atMost);
    }

    private boolean isSaidBy(int enough, BiPredicate<Claim, Duration> question, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        int yes = 0;
        int silent = 0;
        for (Claim seat : seats.keySet()) {
            try {
                yes += question.test(seat, halfUntil(end)) ? 1 : 0;
            } catch (BackendException unanswered) {
                silent++;
            }
        }
        if (yes < enough && yes + silent >= enough) {
            throw new BackendException(silent + " of " + quorum.size() + " did not answer", null);
        }
        return yes >= enough;
    }

    /** One that hangs leaves time for the others. */
    private static Duration halfUntil(long end) {
        return Duration.ofNanos(Math.max(1, (end - System.nanoTime()) / 2));
    }

    private int number(Answer answer) {
        return Collections.frequency(seats.values(), answer);
    }
}
