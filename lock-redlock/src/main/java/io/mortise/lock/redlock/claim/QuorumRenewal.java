// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.member.MemberClaim;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.RedlockFailures;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Renews at all members, each with one batch: a lease goes on if a majority still knows its owners, within the lease.
 * Members that do not know it any more get it again afterwards, and have no say before. Thread-safe.
 */
public final class QuorumRenewal {
    private static final Duration FOR_EACH_CLAIM = Duration.ofMillis(2);

    /** What came of one renewal, and who said what. */
    public record Outcome(Answer answer, Votes votes) {}

    private record Part(QuorumClaim claim, Round round, List<MemberClaim> seats, Votes votes) {
        /** Of the lease that those gave who renewed it. */
        LeaseStart start(long asked) {
            List<MemberClaim> yes = new ArrayList<>();
            for (int i = 0; i < seats.size(); i++) {
                if (votes.of(i) == Answer.YES) {
                    yes.add(seats.get(i));
                }
            }
            return new LeaseStart(asked, MemberClaim.spent(yes, Votes.majority(seats.size())));
        }

        boolean isInTime(long asked) {
            return start(asked).isInTime(claim.request().lease());
        }
    }

    private final Quorum quorum;

    public QuorumRenewal(Quorum quorum) {
        this.quorum = quorum;
    }

    public Outcome renewOne(QuorumClaim claim, Duration atMost) {
        return renew(List.of(claim), atMost).get(0);
    }

    public List<Outcome> renew(List<QuorumClaim> claims, Duration atMost) {
        long asked = System.nanoTime();
        List<Part> held = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>(claims.size());
        for (QuorumClaim claim : claims) {
            Round round = claim.held();
            if (round != null) {
                held.add(new Part(claim, round, round.seats(), new Votes(quorum.size())));
            }
        }
        Duration time = forMember(atMost, claims.size());
        for (int i = 0; i < quorum.size() && !held.isEmpty(); i++) {
            ask(i, held, time, asked);
        }
        long end = asked + atMost.toNanos();
        int next = 0;
        for (QuorumClaim claim : claims) {
            if (next == held.size() || held.get(next).claim() != claim) {
                outcomes.add(new Outcome(Answer.NO, new Votes(quorum.size())));
            } else {
                outcomes.add(outcome(held.get(next++), asked, end));
            }
        }
        return outcomes;
    }

    private Outcome outcome(Part part, long asked, long end) {
        Votes votes = part.votes();
        votes.awaitCalmly(votes::isDecided, end);
        Answer answer = part.claim().answer(votes);
        if (answer == Answer.YES) {
            LeaseStart start = part.start(asked);
            if (start.isInTime(part.claim().request().lease())) {
                part.claim().renewed(start);
            } else {
                answer = Answer.UNKNOWN;
            }
        }
        return new Outcome(answer, votes);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the votes are waited for
    private void ask(int index, List<Part> parts, Duration time, long asked) {
        Member member = quorum.members().get(index);
        List<Part> tried = new ArrayList<>();
        for (Part part : parts) {
            if (part.seats().get(index).isTried()) {
                tried.add(part);
            } else {
                part.votes().cast(index, Answer.UNKNOWN, MemberClaim.BEING_TRIED);
            }
        }
        if (tried.isEmpty()) {
            return;
        }
        List<Claim> batch =
                tried.stream().map(part -> part.seats().get(index).claim()).toList();
        CompletableFuture<List<Answer>> answers = member.ask(time, atMost -> {
            List<Answer> told = member.backend().renewAll(batch, atMost);
            for (int i = 0; i < tried.size() && i < told.size(); i++) {
                if (told.get(i) == Answer.YES) {
                    tried.get(i).seats().get(index).said();
                }
            }
            return told;
        });
        answers.whenComplete((told, failure) -> {
            for (int i = 0; i < batch.size(); i++) {
                Answer vote = failure == null && i < told.size() ? told.get(i) : Answer.UNKNOWN;
                String why = failure == null ? "did not answer" : RedlockFailures.reason(failure);
                tried.get(i).votes().cast(index, vote, why);
                heal(tried.get(i), asked);
            }
        });
    }

    /** When all have voted, and a majority for this lease, in time. */
    private static void heal(Part part, long asked) {
        Votes votes = part.votes();
        if (votes.isComplete() && votes.hasMajority() && part.isInTime(asked)) {
            part.round().heal(part.seats(), votes, part.claim().fencingToken());
        }
    }

    /** A batch takes a member longer than one lock does. */
    private Duration forMember(Duration atMost, int claims) {
        Duration wanted = quorum.settings().memberTimeout().plus(FOR_EACH_CLAIM.multipliedBy(claims));
        Duration most = atMost.multipliedBy(3).dividedBy(4);
        return wanted.compareTo(most) < 0 ? wanted : most;
    }
}
