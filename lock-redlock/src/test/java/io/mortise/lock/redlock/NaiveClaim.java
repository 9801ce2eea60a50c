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

/** A claim of a {@link NaiveQuorum}: every try is a new round, unless the last one is still held. */
final class NaiveClaim implements Claim {
    private final NaiveQuorum quorum;
    private final ClaimRequest request;

    /** The claims of the last round, and the members' answers. */
    private final Map<Claim, Answer> claims = new LinkedHashMap<>();

    private boolean granted;

    NaiveClaim(NaiveQuorum quorum, ClaimRequest request) {
        this.quorum = quorum;
        this.request = request;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        long asked = System.nanoTime();
        long end = asked + atMost.toNanos();
        if (granted && renew(request.lease(), halfUntil(end))) {
            return true;
        }
        granted = false;
        claims.clear();
        try {
            for (int i = 0; i < quorum.size() && number(Answer.YES) < quorum.enough(); i++) {
                ask(quorum.memberClaim(i, request), end);
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

    private void ask(Claim claim, long end) throws InterruptedException {
        claims.put(claim, Answer.UNKNOWN);
        try {
            claims.put(claim, claim.tryAcquire(halfUntil(end)) ? Answer.YES : Answer.NO);
        } catch (BackendException noAnswer) {
            // The answer stays unknown.
        }
    }

    /** A member that does not answer keeps its claim until the lease ends. */
    private void giveUp(long end) {
        claims.forEach((claim, answer) -> {
            try {
                if (quorum.isReleased(answer)) {
                    claim.release(halfUntil(end));
                }
            } catch (BackendException noAnswer) {
                // The other members are still asked.
            }
        });
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        long asked = System.nanoTime();
        Duration length = quorum.renewedLength(request, lease);
        return granted
                && isSaidBy(quorum.enoughToRenew(), (claim, time) -> claim.renew(length, time), atMost)
                && quorum.isInTime(asked, lease);
    }

    @Override
    public boolean release(Duration atMost) {
        return isSaidBy(quorum.enough(), Claim::release, atMost);
    }

    private boolean isSaidBy(int enough, BiPredicate<Claim, Duration> question, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        int yes = 0;
        int unknown = 0;
        for (Claim claim : claims.keySet()) {
            try {
                yes += question.test(claim, halfUntil(end)) ? 1 : 0;
            } catch (BackendException unanswered) {
                unknown++;
            }
        }
        if (yes < enough && yes + unknown >= enough) {
            throw new BackendException(unknown + " of " + quorum.size() + " did not answer", null);
        }
        return yes >= enough;
    }

    /** Half of the time that is left, so that a member that hangs leaves time for the others. */
    private static Duration halfUntil(long end) {
        return Duration.ofNanos(Math.max(1, (end - System.nanoTime()) / 2));
    }

    private int number(Answer answer) {
        return Collections.frequency(claims.values(), answer);
    }
}
