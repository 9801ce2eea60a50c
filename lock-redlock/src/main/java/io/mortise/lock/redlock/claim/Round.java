// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.redlock.member.ConfirmedLease;
import io.mortise.lock.redlock.member.MemberClaim;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.VoteEligibility;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.RememberedLoss;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One round of requests for a lock: a new claim at each member. The claims of a round that was
 * granted are its lease; a member that lost its claim gets another one after the next renewal. Thread-safe.
 */
public final class Round {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Quorum quorum;
    private final ClaimRequest request;
    private final RememberedLoss loss;
    private final String id = HexFormat.of().toHexDigits(RANDOM.nextLong());
    private final long began = System.nanoTime();
    private final MemberClaim[] claims;
    private final Votes votes;
    private boolean givenUp;
    private volatile long token;

    /** What a majority has confirmed last; before the grant, what it will be. */
    private volatile ConfirmedLease lease;

    private volatile boolean keptAtRefusal;

    /**
     * Asks all members for the lock.
     *
     * @param before the round before, which was given up and may still hold the lock at some members, or null
     * @param time how long one member may take
     */
    Round(Quorum quorum, ClaimRequest request, RememberedLoss loss, @Nullable Round before, Duration time) {
        this.quorum = quorum;
        this.request = request;
        this.loss = loss;
        lease = new ConfirmedLease(began, request.lease(), Duration.ZERO);
        votes = quorum.newVotes();
        claims = new MemberClaim[quorum.size()];
        // The same for all: their tokens are to be the same.
        long tokenFloor = tokenFloor();
        for (int i = 0; i < claims.length; i++) {
            MemberClaim left = before == null ? null : before.claims[i];
            claims[i] = newClaim(
                    i,
                    tokenFloor,
                    firstLabel(),
                    request.lease(),
                    left == null || left.isReleased() ? null : left,
                    time);
            votes.count(i, claims[i].granted());
        }
    }

    private long tokenFloor() {
        return Math.max(request.tokenFloor(), quorum.tokenFloor());
    }

    private MemberClaim.Label firstLabel() {
        return new MemberClaim.Label(id, 0, Duration.ZERO, request.label());
    }

    private MemberClaim newClaim(
            int index,
            long tokenFloor,
            MemberClaim.Label label,
            Duration length,
            @Nullable MemberClaim before,
            Duration time) {
        return new MemberClaim(quorum.members().get(index), request, label, tokenFloor, length, before, time);
    }

    /** Asks the members that refused once more, with new claims. */
    void askRefusersAgain(Duration time) {
        long tokenFloor = tokenFloor();
        for (int i = 0; i < claims.length; i++) {
            if (votes.of(i) == Answer.NO) {
                votes.withdraw(i);
                claims[i] = newClaim(i, tokenFloor, firstLabel(), request.lease(), null, time);
                votes.count(i, claims[i].granted());
            }
        }
    }

    Votes votes() {
        return votes;
    }

    synchronized List<MemberClaim> claims() {
        return List.of(claims);
    }

    /** Those of {@code claims} whose members said yes. */
    static List<MemberClaim> granted(List<MemberClaim> claims, Votes votes) {
        List<MemberClaim> granted = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            if (votes.of(i) == Answer.YES) {
                granted.add(claims.get(i));
            }
        }
        return granted;
    }

    /** The claims whose members said yes and are eligible to vote. */
    List<MemberClaim> counted() {
        List<MemberClaim> counted = granted(Arrays.asList(claims), votes);
        List<StoreIncarnation> incarnations = incarnations();
        counted.removeIf(claim -> quorum.eligibility()
                .objection(claim.incarnation(), incarnations, began)
                .isPresent());
        return counted;
    }

    /** Why votes were not counted, with the names of the members, and what to do about it. */
    List<String> objections() {
        List<StoreIncarnation> incarnations = incarnations();
        VoteEligibility eligibility = quorum.eligibility();
        Stream<String> reasons = Arrays.stream(claims)
                .filter(MemberClaim::hasEnded)
                .flatMap(claim -> eligibility.objection(claim.incarnation(), incarnations, began).stream()
                        .map(why -> claim.member().name() + " " + why));
        return Stream.concat(reasons, eligibility.advice(incarnations, began).stream())
                .toList();
    }

    /** The incarnations of all members that have answered, yes or no. */
    private List<StoreIncarnation> incarnations() {
        List<StoreIncarnation> incarnations = new ArrayList<>(claims.length);
        for (MemberClaim claim : claims) {
            StoreIncarnation incarnation = claim.incarnation();
            if (incarnation != null) {
                incarnations.add(incarnation);
            }
        }
        return incarnations;
    }

    boolean hasMajority() {
        return votes.hasMajority() && counted().size() >= quorum.majority();
    }

    /**
     * Whether this round holds the lock at the first member that can be asked. Of rounds that split the members between them
     * this one goes on; the others give way.
     *
     * @return empty while that member has not answered
     */
    Optional<Boolean> holdsFirstMember() {
        for (int i = 0; i < claims.length; i++) {
            Answer vote = votes.of(i);
            if (vote == null && !claims[i].member().isFailing()) {
                return Optional.empty();
            } else if (vote == Answer.YES || vote == Answer.NO) {
                return Optional.of(vote == Answer.YES);
            }
        }
        return Optional.of(false);
    }

    /** Whether all members have answered whose last question had an answer. */
    boolean haveAllAnsweredThatDo() {
        for (int i = 0; i < claims.length; i++) {
            if (votes.of(i) == null && !claims[i].member().isFailing()) {
                return false;
            }
        }
        return true;
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** Raises the token of this round at those of the {@code counted} claims that were given a lower one. */
    Votes raiseRoundToken(List<MemberClaim> counted, long roundToken, Duration time) {
        Votes raised = quorum.newVotes();
        for (int i = 0; i < claims.length; i++) {
            if (!counted.contains(claims[i])) {
                raised.cast(i, Answer.NO);
            } else if (claims[i].claim().fencingToken() == roundToken) {
                raised.cast(i, Answer.YES);
            } else {
                raised.count(i, claims[i].raiseToken(roundToken + request.tokenCount() - 1, time));
            }
        }
        return raised;
    }

    /** Makes the later tokens greater than {@code token} at all members where this round holds the lock. */
    Votes raiseToken(long token, Duration time) {
        Votes raised = quorum.newVotes();
        List<MemberClaim> asked = claims();
        for (int i = 0; i < asked.size(); i++) {
            if (asked.get(i).hasEnded()) {
                raised.count(i, asked.get(i).raiseToken(token, time));
            } else {
                raised.castUnknown(i, MemberClaim.STILL_TRYING);
            }
        }
        return raised;
    }

    /** Makes this round a lease with a token, or with 0 if the quorum has no tokens. False if the lease is over already. */
    boolean grant(long token, long asked) {
        this.token = token;
        return extendLease(asked, request.lease(), counted());
    }

    /**
     * Lets the lease begin anew. False if it is over already.
     *
     * @param asked the moment before the first member was asked, in the time of {@link System#nanoTime()}
     * @param length how long it is to last
     * @param granted the claims of the members that said yes
     */
    boolean extendLease(long asked, Duration length, List<MemberClaim> granted) {
        lease = lease(asked, length, granted);
        return lease.isInTime();
    }

    /** The lease that the yes of some members makes, of which as much is spent as a majority has spent. */
    ConfirmedLease lease(long asked, Duration length, List<MemberClaim> granted) {
        return new ConfirmedLease(asked, length, spent(granted));
    }

    long token() {
        return token;
    }

    /** How much of the lease a majority had spent when it was asked last. */
    Duration leaseSpent() {
        return lease.spent();
    }

    /** The majority-th smallest spent time among the claims of the members that said yes. */
    private Duration spent(List<MemberClaim> granted) {
        return granted.stream()
                .map(MemberClaim::spent)
                .sorted()
                .skip(Math.min(quorum.majority(), granted.size()) - 1L)
                .findFirst()
                .orElse(Duration.ZERO);
    }

    /**
     * As {@link #answer}, for a renewal. One that is refused leaves the holder its lease where each of a majority that refuses
     * keeps others out until that lease ends, as members do that revoke.
     */
    Answer answerToRenewal(List<MemberClaim> asked, Votes told) {
        Answer answer = answer(told);
        ConfirmedLease held = lease;
        int keeping = 0;
        for (int i = 0; i < asked.size(); i++) {
            keeping += told.of(i) == Answer.NO && asked.get(i).isKeptUntilEndOf(held) ? 1 : 0;
        }
        keptAtRefusal = answer == Answer.NO && keeping >= quorum.majority();
        return answer;
    }

    /** Whether the lock is held until the lease ends, though the last renewal was refused. */
    boolean isKeptAtRefusal() {
        return keptAtRefusal;
    }

    /**
     * What the members' answers say about the lease. If it has run out, it has ended for certain, even where the members that
     * answer are split and the others are dead.
     */
    Answer answer(Votes told) {
        Answer answer = told.outcome();
        if (answer == Answer.NO) {
            rememberLoss(told);
        } else if (answer == Answer.UNKNOWN && told.isAnswered() && !lease.isInTime()) {
            loss.remember(LossCause.EXPIRED, "the lease ended at some of the members");
            return Answer.NO;
        }
        return answer;
    }

    /** The loss that most of the refusing members tell; of equally many, the first. */
    private void rememberLoss(Votes told) {
        Map<LossCause, Integer> counts = new EnumMap<>(LossCause.class);
        Loss most = null;
        List<MemberClaim> asked = claims();
        for (int i = 0; i < asked.size(); i++) {
            if (told.of(i) == Answer.NO) {
                Loss one = asked.get(i).claim().loss();
                int count = counts.merge(one.cause(), 1, Integer::sum);
                if (most == null || count > counts.getOrDefault(most.cause(), 0)) {
                    most = one;
                }
            }
        }
        loss.isGranted(Optional.ofNullable(most));
    }

    /** Makes new claims at the members that refused those of {@code asked}: they vote in the next renewal, not in this one. */
    synchronized void heal(List<MemberClaim> asked, Votes renewed, Duration length) {
        Duration time = quorum.settings().memberTimeout();
        long last = token + request.tokenCount() - 1;
        MemberClaim.Label label = new MemberClaim.Label(id, token, age(), request.label());
        for (int i = 0; i < claims.length && !givenUp; i++) {
            if (renewed.of(i) == Answer.NO && claims[i] == asked.get(i)) {
                claims[i] = newClaim(i, Math.max(last, quorum.tokenFloor()), label, length, claims[i], time);
            }
        }
    }

    /** Releases all claims, also at members that did not answer. */
    Votes release(Duration time) {
        synchronized (this) {
            givenUp = true;
        }
        Votes released = quorum.newVotes();
        List<MemberClaim> left = claims();
        for (int i = 0; i < left.size(); i++) {
            released.count(i, left.get(i).release(time));
        }
        return released;
    }

    /** Completes when all tries have ended, after which their claims are released; null if they have ended already. */
    @Nullable
    CompletionStage<?> end() {
        CompletableFuture<?>[] tries = Arrays.stream(claims)
                .map(claim -> claim.granted().handle((granted, failure) -> failure))
                .toArray(CompletableFuture[]::new);
        CompletableFuture<?> all = CompletableFuture.allOf(tries);
        return all.isDone() ? null : all;
    }
}
