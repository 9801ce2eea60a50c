// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.redlock.member.MemberClaim;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.RedlockFailures;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A claim on a majority of the members. Every try that is not a repetition is a new round, with new claims at the members. */
public final class QuorumClaim implements Claim {
    /** No answer of a member may take more than half of a call's time: the rest is for what follows from it. */
    private static final int STEPS = 2;

    private final Quorum quorum;
    private final QuorumRenewal renewal;
    private final ClaimRequest request;

    private @Nullable Round round;
    private boolean granted;
    private boolean over;
    private long fence;
    private LeaseStart start = new LeaseStart(0, Duration.ZERO);
    private @Nullable Duration retryAfter;
    private @Nullable Loss loss;

    public QuorumClaim(Quorum quorum, QuorumRenewal renewal, ClaimRequest request) {
        this.quorum = quorum;
        this.renewal = renewal;
        this.request = request;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        quorum.ensureOpen();
        retryAfter = null;
        if (over) {
            return false;
        }
        long asked = System.nanoTime();
        Duration time = quorum.settings().forMember(atMost, STEPS);
        if (granted && round != null) {
            if (renew(time)) {
                return true;
            } else if (loss().cause() == LossCause.REVOKED) {
                return false;
            }
            granted = false;
            round.release(time);
        }
        refuseDuplicates();
        Round next = new Round(quorum, request, round, time);
        round = next;
        long end = asked + atMost.toNanos();
        MajorityAttempt attempt = new MajorityAttempt(quorum, request, next, time, end);
        try {
            granted = isGranted(attempt, asked);
        } finally {
            if (!granted) {
                giveUp(next, time, end);
            }
        }
        if (granted) {
            fence = attempt.token();
        } else if (!attempt.isAnswered()) {
            throw attempt.silence();
        } else {
            retryAfter = untilMajorityIsFree(next);
        }
        return granted;
    }

    private boolean isGranted(MajorityAttempt attempt, long asked) throws InterruptedException {
        if (!attempt.hasMajority()) {
            return false;
        }
        refuseDuplicates();
        if (!attempt.isFenced()) {
            return false;
        }
        start = attempt.start(asked);
        if (!start.isInTime(request.lease())) {
            throw new BackendException(
                    "the members granted lock '" + request.lock() + "' when its lease was over", null);
        }
        return true;
    }

    private void refuseDuplicates() {
        quorum.eligibility().duplicate().ifPresent(why -> {
            throw new BackendException(why, null);
        });
    }

    /** Members that have answered are left clean; the others are told as soon as they can be. */
    private void giveUp(Round failed, Duration time, long end) {
        Votes released = failed.release(time);
        released.awaitCalmly(() -> isLeft(failed, released), end);
    }

    private boolean isLeft(Round failed, Votes released) {
        for (int i = 0; i < quorum.size(); i++) {
            Answer vote = failed.votes().of(i);
            if ((vote == Answer.YES || vote == Answer.NO) && released.of(i) == null) {
                return false;
            }
        }
        return true;
    }

    /** When so many members are free that there is a majority, as far as they told. */
    private @Nullable Duration untilMajorityIsFree(Round failed) {
        List<Duration> waits = new ArrayList<>();
        List<MemberClaim> seats = failed.seats();
        for (int i = 0; i < seats.size(); i++) {
            if (failed.votes().of(i) == Answer.NO) {
                waits.add(seats.get(i).claim().retryAfter().orElse(Duration.ZERO));
            }
        }
        waits.sort(null);
        int needed = quorum.majority() - failed.votes().number(Answer.YES);
        return needed > 0 && needed <= waits.size() ? waits.get(needed - 1) : null;
    }

    @Override
    public boolean renew(Duration atMost) {
        quorum.ensureOpen();
        QuorumRenewal.Outcome outcome = renewal.renewOne(this, atMost);
        if (outcome.answer() == Answer.UNKNOWN) {
            throw RedlockFailures.undecided(
                    "renewing lock '" + request.lock() + "'", outcome.votes(), quorum.members(), null);
        }
        return outcome.answer() == Answer.YES;
    }

    @Override
    public boolean release(Duration atMost) {
        quorum.ensureOpen();
        over = true;
        Round last = round;
        if (last == null) {
            return false;
        }
        Duration time = quorum.settings().forMember(atMost, STEPS);
        Votes released = last.release(time);
        released.awaitCalmly(
                () -> granted ? released.isDecided() : released.isAnswered() || released.isComplete(),
                System.nanoTime() + atMost.toNanos());
        Answer answer = granted ? answer(released) : released.isAnswered() ? Answer.NO : Answer.UNKNOWN;
        if (answer == Answer.UNKNOWN) {
            throw RedlockFailures.undecided(
                    "releasing lock '" + request.lock() + "'", released, quorum.members(), last.whenTried());
        }
        return answer == Answer.YES;
    }

    /**
     * What is known when members were asked whether this claim holds. Those that answer may be split at the moment at which its
     * lease ends, and dead ones decide nothing: it is over all the same.
     */
    public Answer answer(Votes votes) {
        Answer answer = votes.outcome();
        Round last = round;
        if (answer == Answer.NO && last != null) {
            loss = Losses.ofMost(last.seats(), votes);
        } else if (answer == Answer.UNKNOWN && votes.isAnswered() && !start.isInTime(request.lease())) {
            loss = new Loss(LossCause.EXPIRED, "the lease ended at some of the members");
            return Answer.NO;
        }
        return answer;
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        if (!quorum.settings().fenced()) {
            return Claim.super.raiseToken(token, atMost);
        }
        quorum.ensureOpen();
        Round held = round;
        if (held == null || !granted) {
            return false;
        }
        Votes raised = held.raiseAll(token, quorum.settings().forMember(atMost, STEPS));
        raised.awaitCalmly(raised::isDecided, System.nanoTime() + atMost.toNanos());
        if (raised.outcome() == Answer.UNKNOWN) {
            throw RedlockFailures.undecided(
                    "raising the token of lock '" + request.lock() + "'", raised, quorum.members(), null);
        }
        return raised.outcome() == Answer.YES;
    }

    @Override
    public long fencingToken() {
        return fence;
    }

    /** What a majority has spent, each of its own lease. */
    @Override
    public Duration leaseSpent() {
        return start.spent();
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    @Override
    public Loss loss() {
        Loss told = loss;
        return told == null ? Claim.super.loss() : told;
    }

    public ClaimRequest request() {
        return request;
    }

    /** The round that may hold; null if none was ever granted, or if it was given up. */
    @Nullable
    public Round held() {
        return granted ? round : null;
    }

    /** A majority knows the owners still. */
    public void renewed(LeaseStart again) {
        start = again;
    }
}
