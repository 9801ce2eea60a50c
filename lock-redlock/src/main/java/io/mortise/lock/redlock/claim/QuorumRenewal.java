// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.member.MemberClaim;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Renews leases at all members, with one batch for each member. A lease is renewed if a majority still knows its owners, within
 * the lease. Members that have lost their claims then get new ones, which vote from the next renewal on. Thread-safe.
 */
public final class QuorumRenewal {
    private static final Duration FOR_EACH_LEASE = Duration.ofMillis(2);

    private final Quorum quorum;

    public QuorumRenewal(Quorum quorum) {
        this.quorum = quorum;
    }

    /** The answer for one lease, and the members' votes that led to it. */
    public record Outcome(Answer answer, Votes votes) {
        /** Whether a majority refused to renew: the lease may go on, and asking again is of no use. */
        public boolean isRefusedForGood() {
            return answer == Answer.UNKNOWN && votes.isRefusedForGood();
        }
    }

    /**
     * A lease that is to be renewed.
     *
     * @param round the round that may be the lease; empty if none was granted, or if it was given up
     * @param length how long it is to last
     */
    public record HeldLease(Optional<Round> round, Duration length) {}

    /** The renewal of one lease. */
    private record RoundRenewal(Round round, Duration length, List<MemberClaim> claims, Votes votes, long asked) {
        Outcome await(long end) {
            votes.awaitUninterruptibly(votes::isDecided, end);
            Answer answer = round.answerToRenewal(claims, votes);
            boolean isOver = answer == Answer.YES && !round.extendLease(asked, length, Round.granted(claims, votes));
            return new Outcome(isOver ? Answer.UNKNOWN : answer, votes);
        }

        /** Makes new claims where they are missing, once all members have voted and the lease is renewed. */
        void heal() {
            if (votes.isComplete()
                    && votes.hasMajority()
                    && round.lease(asked, length, Round.granted(claims, votes)).isInTime()) {
                round.heal(claims, votes, length);
            }
        }
    }

    /** An outcome for each lease; no for claims that hold none. Ignores interrupts. */
    public List<Outcome> renew(List<HeldLease> held, Duration atMost) {
        long asked = System.nanoTime();
        long end = asked + atMost.toNanos();
        List<Optional<RoundRenewal>> each = held.stream()
                .map(lease -> lease.round()
                        .map(round ->
                                new RoundRenewal(round, lease.length(), round.claims(), quorum.newVotes(), asked)))
                .toList();
        List<RoundRenewal> renewals = each.stream().flatMap(Optional::stream).toList();
        Duration time = memberTime(atMost, held.size());
        for (int i = 0; i < quorum.size() && !renewals.isEmpty(); i++) {
            ask(i, renewals, time);
        }
        return each.stream()
                .map(lease -> lease.map(renewal -> renewal.await(end))
                        .orElseGet(() -> new Outcome(Answer.NO, quorum.newVotes())))
                .toList();
    }

    /** A batch takes a member longer than one lease does. */
    private Duration memberTime(Duration atMost, int leases) {
        Duration wanted = quorum.settings().memberTimeout().plus(FOR_EACH_LEASE.multipliedBy(leases));
        Duration most = atMost.multipliedBy(3).dividedBy(4);
        return wanted.compareTo(most) < 0 ? wanted : most;
    }

    /** Those that owe an answer to an earlier renewal hold up no others. */
    private void ask(int index, List<RoundRenewal> renewals, Duration time) {
        List<RoundRenewal> now = new ArrayList<>();
        List<RoundRenewal> later = new ArrayList<>();
        for (RoundRenewal renewal : renewals) {
            MemberClaim claim = renewal.claims().get(index);
            if (claim.hasEnded()) {
                (claim.isIdle() ? now : later).add(renewal);
            } else {
                renewal.votes().castUnknown(index, MemberClaim.STILL_TRYING);
            }
        }
        askTogether(index, now, time);
        askTogether(index, later, time);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the votes are waited for
    private void askTogether(int index, List<RoundRenewal> asked, Duration time) {
        if (asked.isEmpty()) {
            return;
        }
        Member member = quorum.members().get(index);
        List<MemberClaim> claims =
                asked.stream().map(renewal -> renewal.claims().get(index)).toList();
        List<Duration> leases = asked.stream().map(RoundRenewal::length).toList();
        MemberClaim.renewAll(member, claims, leases, time).whenComplete((told, failure) -> {
            for (int i = 0; i < asked.size(); i++) {
                RoundRenewal renewal = asked.get(i);
                if (failure != null) {
                    renewal.votes().castUnknown(index, failure);
                } else {
                    renewal.votes().cast(index, i < told.size() ? told.get(i) : Answer.UNKNOWN);
                }
                renewal.heal();
            }
        });
    }
}
