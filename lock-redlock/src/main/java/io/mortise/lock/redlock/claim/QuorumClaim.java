// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.RememberedLoss;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Implements a claim on a majority of the members. Every try is a new round, with new claims at the members, unless
 * the last round is still held.
 */
public final class QuorumClaim implements Claim {
    /** A member gets at most half of a call's time for one answer: the rest is for what follows from it. */
    private static final int STEPS = 2;

    /** Every counter is above this: raising it to this only asks whether the claim holds the lock. */
    private static final long NO_TOKEN = 0;

    private final Quorum quorum;
    private final QuorumRenewal renewal;
    private final ClaimRequest request;
    private final RememberedLoss loss = new RememberedLoss();

    private @Nullable Round round;
    private boolean granted;
    private boolean over;
    private long token;
    private Optional<Duration> retryAfter = Optional.empty();
    private final WaiterLook look;

    /** Whether the last round ended because others were in its way, and not because too few members answered. */
    private boolean refused;

    public QuorumClaim(Quorum quorum, QuorumRenewal renewal, ClaimRequest request) {
        this.quorum = quorum;
        this.renewal = renewal;
        this.request = request;
        look = new WaiterLook(quorum, request.lock());
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return CallDeadline.interruptibly(Quorum.NAME, atMost, this::tryWithin);
    }

    private boolean tryWithin(CallDeadline deadline) throws InterruptedException {
        quorum.ensureOpen();
        retryAfter = Optional.empty();
        if (over) {
            return false;
        }
        Duration time = quorum.settings().memberTime(deadline.atMost(), STEPS);
        if (granted && round != null) {
            if (renew(request.lease(), time)) {
                return true;
            } else if (loss().cause() == LossCause.REVOKED) {
                return false;
            }
            granted = false;
            round.release(time);
        }
        quorum.ensureDistinctMembers();
        if (refused && request.waits() && look.isHeld(deadline, time)) {
            retryAfter = look.retryAfter();
            return false;
        }
        refused = false;
        round = new Round(quorum, request, loss, round, time);
        MajorityAttempt attempt = new MajorityAttempt(quorum, request, round, time, deadline);
        granted = attempt.acquire();
        if (granted) {
            token = round.token();
        } else {
            refused = true;
            look.refused(round.votes());
            retryAfter = attempt.retryAfter();
        }
        return granted;
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        quorum.ensureOpen();
        QuorumRenewal.Outcome outcome =
                renewal.renew(List.of(held(lease)), atMost).get(0);
        return isYes(outcome.answer(), outcome.votes(), "renewing");
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return round != null && granted && round.isKeptAtRefusal();
    }

    @Override
    public boolean raiseToken(long above, Duration atMost) {
        if (!quorum.settings().fenced()) {
            return Claim.super.raiseToken(above, atMost);
        }
        quorum.ensureOpen();
        if (round == null || !granted) {
            return false;
        }
        long end = System.nanoTime() + atMost.toNanos();
        // Asks first: a claim that has lost may still be known to a minority, whose counters it must not raise.
        return isRaised(round, NO_TOKEN, atMost, end) && isRaised(round, above, atMost, end);
    }

    private boolean isRaised(Round round, long above, Duration atMost, long end) {
        Votes raised = round.raiseToken(above, quorum.settings().memberTime(atMost, STEPS));
        raised.awaitUninterruptibly(raised::isDecided, end);
        return isYes(raised.outcome(), raised, "raising the token of");
    }

    @Override
    public boolean release(Duration atMost) {
        quorum.ensureOpen();
        over = true;
        if (round == null) {
            return false;
        }
        long end = System.nanoTime() + atMost.toNanos();
        Votes released = round.release(quorum.settings().memberTime(atMost, STEPS));
        released.awaitUninterruptibly(
                () -> granted ? released.isDecided() : released.isAnswered() || released.isComplete(), end);
        Answer answer = granted ? round.answer(released) : released.isAnswered() ? Answer.NO : Answer.UNKNOWN;
        if (answer == Answer.UNKNOWN) {
            throw released.undecided("releasing lock '" + request.lock() + "'", round.end(), List.of());
        }
        return answer == Answer.YES;
    }

    private boolean isYes(Answer answer, Votes votes, String what) {
        if (answer == Answer.UNKNOWN) {
            throw votes.undecided(what + " lock '" + request.lock() + "'");
        }
        return answer == Answer.YES;
    }

    /** The lease of this claim, which is to be renewed. */
    public QuorumRenewal.HeldLease held(Duration length) {
        return new QuorumRenewal.HeldLease(granted ? Optional.ofNullable(round) : Optional.empty(), length);
    }

    @Override
    public long fencingToken() {
        return token;
    }

    /** What a majority has spent, each member of its own lease. */
    @Override
    public Duration leaseSpent() {
        return round == null ? Duration.ZERO : round.leaseSpent();
    }

    @Override
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** A look is cheap, and a round is not. */
    @Override
    public Optional<Duration> pollAfter() {
        return request.waits() ? Optional.of(look.pause()) : Optional.empty();
    }

    @Override
    public Loss loss() {
        return loss.get();
    }
}
