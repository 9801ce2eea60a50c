// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.redlock.member.MemberClaim;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.RedlockFailures;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One round's way to a grant: a majority's yes, then one token for all of them, in less than the lease. Used by one thread.
 */
public final class MajorityAttempt {
    private static final int LEAST_ATTEMPTS = 3;
    private static final int MOST_ATTEMPTS = 8;
    private static final long FIRST_PAUSE = 1_000_000;
    private static final long LONGEST_PAUSE = 32_000_000;

    private final Quorum quorum;
    private final ClaimRequest request;
    private final Round round;
    private final Duration time;
    private final long end;
    private long token;

    /** {@code time}: for one answer of a member; {@code end}: by when this must be over. */
    public MajorityAttempt(Quorum quorum, ClaimRequest request, Round round, Duration time, long end) {
        this.quorum = quorum;
        this.request = request;
        this.round = round;
        this.time = time;
        this.end = end;
    }

    /**
     * Whether the round is granted. If several rounds have split the members between them, the one that has the first member
     * goes on asking the others, after random pauses, and the rest give way. So does one with a majority's yes that does not
     * count yet: nobody else can have that, and what is in its way is about to go. One with any yes asks at least some
     * times: who is in its way may be nobody, but late tries of others that are about to be released.
     */
    public boolean hasMajority() throws InterruptedException {
        long pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            Votes votes = round.votes();
            votes.await(() -> round.hasMajority() ? quorum.isMet() || votes.isComplete() : isHopeless(), soon());
            if (round.hasMajority()) {
                return true;
            }
            if (votes.isRefused()) {
                // Whether anybody granted it is told by those who are a little later.
                votes.await(votes::isComplete, Math.min(soon(), round.whenTwiceAsLong(Duration.ZERO)));
            }
            if (attempt == MOST_ATTEMPTS || !mayGoOn(attempt)) {
                return false;
            }
            long until =
                    System.nanoTime() + pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2);
            votes.await(() -> false, until);
            pause = Math.min(LONGEST_PAUSE, 2 * pause);
            round.askRefusersAgain(time);
        }
    }

    /** Whether a majority keeps this round's token below all later ones; fails if that is not known. */
    public boolean isFenced() throws InterruptedException {
        if (!quorum.settings().fenced()) {
            return true;
        }
        List<MemberClaim> carriers = round.carriers();
        token = greatest(carriers);
        if (carriers.stream()
                        .filter(seat -> seat.claim().fencingToken() == token)
                        .count()
                >= quorum.majority()) {
            return true;
        }
        // The tokens of those that are a little later too, so that who looks at the members finds the token that was
        // given.
        round.votes().await(round.votes()::isComplete, Math.min(soon(), round.whenTwiceAsLong(Quorum.LEAD)));
        carriers = round.carriers();
        token = greatest(carriers);
        Votes raised = round.raise(carriers, token, time);
        raised.await(raised::isDecided, soon());
        if (raised.outcome() == Answer.UNKNOWN) {
            throw RedlockFailures.undecided("a token of lock '" + request.lock() + "'", raised, quorum.members(), null);
        }
        return raised.outcome() == Answer.YES;
    }

    /** Of the lease that those gave who carry the round; {@code asked} before the first of them was. */
    public LeaseStart start(long asked) {
        return new LeaseStart(asked, MemberClaim.spent(round.carriers(), quorum.majority()));
    }

    /** The token of the round, after {@link #isFenced()}. */
    public long token() {
        return token;
    }

    /** Whether enough members have answered to know that this round is not granted, rather than that they are silent. */
    public boolean isAnswered() {
        return round.carriers().size() + round.votes().number(Answer.NO) >= quorum.majority();
    }

    /** That too few members have answered, and which. */
    public BackendException silence() {
        List<String> reasons = round.votes().silences(quorum.members());
        if (round.votes().isAnswered()) {
            reasons.addAll(round.objections());
        }
        return RedlockFailures.undecided("lock '" + request.lock() + "'", reasons, quorum.members(), round.whenTried());
    }

    private boolean isHopeless() {
        Votes votes = round.votes();
        return votes.isComplete() || (votes.isRefused() && round.isFirst().isPresent());
    }

    private boolean mayGoOn(int attempt) {
        boolean givesWay = attempt >= LEAST_ATTEMPTS
                && !round.votes().hasMajority()
                && !round.isFirst().orElse(false);
        return !givesWay
                && round.votes().number(Answer.YES) > 0
                && round.votes().number(Answer.NO) > 0
                && end - System.nanoTime() > time.toNanos();
    }

    private long soon() {
        return System.nanoTime() + Math.min(time.toNanos(), Math.max(0, end - System.nanoTime()));
    }

    private static long greatest(List<MemberClaim> seats) {
        return seats.stream()
                .mapToLong(seat -> seat.claim().fencingToken())
                .max()
                .orElse(0);
    }
}
