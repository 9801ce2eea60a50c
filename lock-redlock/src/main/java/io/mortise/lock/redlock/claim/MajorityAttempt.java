// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.redlock.member.MemberClaim;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.PollDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes one attempt to acquire a lock at a majority of the members, in less time than the lease. If the lock is fenced, a
 * majority must also have the same token. Releases the lock at every member if the attempt fails. Used by one thread.
 */
final class MajorityAttempt {
    private static final int LEAST_TRIES = 3;
    private static final int MOST_TRIES = 8;

    /** How old a round may become while it waits for slower members only to have the same token as they. */
    private static final Duration LONGEST_LOOK = Duration.ofMillis(500);

    private static final long FIRST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 32_000_000;

    private final Quorum quorum;
    private final ClaimRequest request;
    private final Round round;
    private final Duration time;
    private final CallDeadline deadline;
    private long token;

    /**
     * An attempt whose members are being asked.
     *
     * @param round the lease if the attempt is granted
     * @param time how long one member may take for one answer
     * @param deadline by when the attempt must have ended
     */
    MajorityAttempt(Quorum quorum, ClaimRequest request, Round round, Duration time, CallDeadline deadline) {
        this.quorum = quorum;
        this.request = request;
        this.round = round;
        this.time = time;
        this.deadline = deadline;
    }

    /**
     * Waits until the attempt is granted or has failed, and releases it if it has failed.
     *
     * @return true if it is granted; false if enough members have answered to know that it is not
     * @throws BackendException if too few members have answered, or if a majority granted the lock and the round did not keep it
     *     until it had its token
     */
    boolean acquire() throws InterruptedException {
        boolean granted = false;
        try {
            granted = awaitMajority() && makeLease();
        } finally {
            if (!granted) {
                giveUp();
            }
        }
        Votes votes = round.votes();
        if (!granted && round.counted().size() + votes.number(Answer.NO) < quorum.majority()) {
            throw votes.undecided(
                    "lock '" + request.lock() + "'", round.end(), votes.isAnswered() ? round.objections() : List.of());
        }
        return granted;
    }

    /**
     * Waits for a majority, and asks again if several rounds have split the members between them. The round that has the first
     * member asks the others again, after random pauses, and all other rounds give way. A round with a majority's yes of which
     * some does not count yet asks again too: no other round can have a majority, and what is in its way is about to be
     * released. A round with any yes asks at least {@value #LEAST_TRIES} times: what is in its way may be late tries of rounds
     * that were given up.
     */
    private boolean awaitMajority() throws InterruptedException {
        Votes votes = round.votes();
        long pause = FIRST_PAUSE_NANOS;
        for (int tries = 1; ; tries++) {
            votes.await(
                    () -> round.hasMajority() ? quorum.haveAllAnsweredOrFailed() || votes.isComplete() : isHopeless(),
                    deadline.within(time));
            if (round.hasMajority()) {
                return true;
            }
            if (votes.isRefused()) {
                // Whether any member said yes is known when the slower ones have answered too.
                votes.await(votes::isComplete, deadline.within(time).within(round.age()));
            }
            if (tries == MOST_TRIES || !mayTryAgain(tries)) {
                return false;
            }
            deadline.pause(PollDelay.jittered(pause));
            pause = Math.min(LONGEST_PAUSE_NANOS, 2 * pause);
            round.askRefusersAgain(time);
        }
    }

    private boolean isHopeless() {
        Votes votes = round.votes();
        return votes.isComplete()
                || (votes.isRefused() && round.holdsFirstMember().isPresent());
    }

    private boolean mayTryAgain(int tries) {
        Votes votes = round.votes();
        boolean givesWay = tries >= LEAST_TRIES
                && !votes.hasMajority()
                && !round.holdsFirstMember().orElse(false);
        return !givesWay
                && votes.number(Answer.YES) > 0
                && votes.number(Answer.NO) > 0
                && deadline.remainingNanos() > time.toNanos();
    }

    /** Makes a round with a majority the lease, if it gets its token and the lease is not over. */
    private boolean makeLease() throws InterruptedException {
        quorum.ensureDistinctMembers();
        if (quorum.settings().fenced()) {
            raiseToken();
        }
        if (!round.grant(token, deadline.startNanos())) {
            throw new BackendException(
                    "the members granted lock '" + request.lock() + "' when its lease was over", null);
        }
        return true;
    }

    /**
     * Returns when a majority gives only greater tokens from now on; throws if that is not known, and if a majority has lost the
     * lock meanwhile, as when its lease has ended: that says nothing of others.
     */
    private void raiseToken() throws InterruptedException {
        List<MemberClaim> counted = round.counted();
        Optional<Long> common = commonToken(counted);
        if (common.isEmpty()) {
            // A slower member may have given the same token as another; and the listing shows what all members gave.
            round.votes()
                    .await(
                            () -> commonToken(round.counted()).isPresent() || round.haveAllAnsweredThatDo(),
                            deadline.within(time).within(LONGEST_LOOK.minus(round.age())));
            counted = round.counted();
            common = commonToken(counted);
        }
        if (common.isPresent()) {
            token = common.get();
            return;
        }
        token = counted.stream().mapToLong(MajorityAttempt::token).max().orElse(0);
        Votes raised = round.raiseRoundToken(counted, token, time);
        raised.await(raised::isDecided, deadline.within(time));
        if (raised.outcome() == Answer.UNKNOWN) {
            throw raised.undecided("a token of lock '" + request.lock() + "'");
        }
        if (raised.outcome() == Answer.NO) {
            throw new BackendException(
                    "the members granted lock '" + request.lock()
                            + "', and had given it up before its token was raised, "
                            + round.age().toMillis() + " ms after the first request; a lease of "
                            + request.lease().toMillis() + " ms may be too short",
                    null);
        }
    }

    /** The token that a majority has given: these members alone are majority enough, and their counters stand right. */
    private Optional<Long> commonToken(List<MemberClaim> counted) {
        return counted.stream()
                .map(MajorityAttempt::token)
                .filter(one ->
                        counted.stream().filter(claim -> token(claim) == one).count() >= quorum.majority())
                .findFirst();
    }

    private static long token(MemberClaim claim) {
        return claim.claim().fencingToken();
    }

    /** Releases the round everywhere, and waits for the members that have answered its tries. */
    private void giveUp() {
        Votes released = round.release(time);
        released.awaitUninterruptibly(
                () -> hasLeftMembersThatAnswered(released), System.nanoTime() + deadline.remainingNanos());
    }

    private boolean hasLeftMembersThatAnswered(Votes released) {
        for (int i = 0; i < quorum.size(); i++) {
            Answer vote = round.votes().of(i);
            if ((vote == Answer.YES || vote == Answer.NO) && released.of(i) == null) {
                return false;
            }
        }
        return true;
    }

    /** How long until enough members are free for a majority, as far as they told. */
    Optional<Duration> retryAfter() {
        List<Duration> waits = new ArrayList<>();
        List<MemberClaim> claims = round.claims();
        for (int i = 0; i < claims.size(); i++) {
            if (round.votes().of(i) == Answer.NO) {
                waits.add(claims.get(i).claim().retryAfter().orElse(Duration.ZERO));
            }
        }
        waits.sort(null);
        int needed = quorum.majority() - round.votes().number(Answer.YES);
        return needed > 0 && needed <= waits.size() ? Optional.of(waits.get(needed - 1)) : Optional.empty();
    }
}
