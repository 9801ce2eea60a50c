// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.member.MemberClaim;
import io.mortise.lock.redlock.member.MemberLabel;
import io.mortise.lock.redlock.member.Owners;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.StoreRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to get a majority: a seat at each member, none shared with any other round. The seats of a round that was
 * granted are its lease; a member that lost its part gets another seat. Thread-safe.
 */
public final class Round {
    private final Quorum quorum;
    private final ClaimRequest request;
    private final String id = Owners.random().substring(0, 16);
    private final long began = System.nanoTime();
    private final MemberClaim[] seats;
    private final Votes votes;
    private boolean givenUp;

    /** Asks all members, those where an earlier round left something after it was given up. */
    public Round(Quorum quorum, ClaimRequest request, @Nullable Round before, Duration time) {
        this.quorum = quorum;
        this.request = request;
        votes = new Votes(quorum.size());
        long floor = Math.max(request.tokenFloor(), quorum.floor());
        seats = new MemberClaim[quorum.size()];
        for (int i = 0; i < seats.length; i++) {
            MemberClaim left = before == null ? null : before.seats[i];
            seats[i] = seat(i, floor, 0, left == null || left.isReleased() ? null : left, time);
            votes.count(i, seats[i].tried());
        }
    }

    private MemberClaim seat(int index, long floor, long token, @Nullable MemberClaim before, Duration time) {
        Member member = quorum.members().get(index);
        ClaimRequest own = new ClaimRequest(
                request.lock(),
                Owners.random(),
                new MemberLabel(id, token, request.label()).text(),
                request.lease(),
                false,
                Math.min(floor, ClaimRequest.HIGHEST_TOKEN_FLOOR),
                request.tokenCount());
        return new MemberClaim(member, member.backend().claim(own, () -> {}), request.lock(), before, time);
    }

    public Votes votes() {
        return votes;
    }

    /** Asks those again that refused, with other claims. */
    public void askRefusersAgain(Duration time) {
        long floor = Math.max(request.tokenFloor(), quorum.floor());
        for (int i = 0; i < seats.length; i++) {
            if (votes.of(i) == Answer.NO) {
                votes.open(i);
                seats[i] = seat(i, floor, 0, null, time);
                votes.count(i, seats[i].tried());
            }
        }
    }

    /** The seats whose yes counts. */
    public List<MemberClaim> carriers() {
        List<MemberClaim> yes = new ArrayList<>();
        for (int i = 0; i < seats.length; i++) {
            if (votes.of(i) == Answer.YES) {
                yes.add(seats[i]);
            }
        }
        List<StoreRun> runs = runs();
        yes.removeIf(
                seat -> quorum.eligibility().objection(seat.run(), runs, began).isPresent());
        return yes;
    }

    /** Of all members that have answered, yes or no. */
    private List<StoreRun> runs() {
        List<StoreRun> runs = new ArrayList<>();
        for (MemberClaim seat : seats) {
            StoreRun run = seat.run();
            if (run != null) {
                runs.add(run);
            }
        }
        return runs;
    }

    public boolean hasMajority() {
        return votes.hasMajority() && carriers().size() >= quorum.majority();
    }

    /**
     * Whether this round has the first member that can be asked. Of rounds that split the members between them it is the one
     * that goes on; the others give way. Empty while that member has not answered.
     */
    public Optional<Boolean> isFirst() {
        for (int i = 0; i < seats.length; i++) {
            Answer vote = votes.of(i);
            if (vote == null && !seats[i].member().isFailing()) {
                return Optional.empty();
            } else if (vote == Answer.YES || vote == Answer.NO) {
                return Optional.of(vote == Answer.YES);
            }
        }
        return Optional.of(false);
    }

    /** The moment at which this will have taken twice as long as until now, and a little more. */
    public long whenTwiceAsLong(Duration more) {
        long now = System.nanoTime();
        return now + (now - began) + more.toNanos();
    }

    /** Makes the later tokens of those members greater that have not granted the token themselves. */
    public Votes raise(List<MemberClaim> carriers, long firstToken, Duration time) {
        Votes raised = new Votes(seats.length);
        for (int i = 0; i < seats.length; i++) {
            if (!carriers.contains(seats[i])) {
                raised.cast(i, Answer.NO, "");
            } else if (seats[i].claim().fencingToken() == firstToken) {
                raised.cast(i, Answer.YES, "");
            } else {
                raised.count(i, seats[i].raise(firstToken + request.tokenCount() - 1, time));
            }
        }
        return raised;
    }

    /** Makes the later tokens of all members greater that this round holds. */
    public Votes raiseAll(long token, Duration time) {
        Votes raised = new Votes(seats.length);
        List<MemberClaim> asked = seats();
        for (int i = 0; i < asked.size(); i++) {
            if (asked.get(i).isTried()) {
                raised.count(i, asked.get(i).raise(token, time));
            } else {
                raised.cast(i, Answer.UNKNOWN, MemberClaim.BEING_TRIED);
            }
        }
        return raised;
    }

    /** The seats at the members, in their order. */
    public synchronized List<MemberClaim> seats() {
        return List.of(seats);
    }

    /** Takes seats at members again that did not know those of {@code asked}: for the next renewal, not for this one. */
    public synchronized void heal(List<MemberClaim> asked, Votes renewed, long token) {
        Duration time = quorum.settings().memberTimeout();
        for (int i = 0; i < seats.length && !givenUp; i++) {
            if (renewed.of(i) == Answer.NO && seats[i] == asked.get(i)) {
                long last = token + request.tokenCount() - 1;
                seats[i] = seat(i, Math.max(last, quorum.floor()), token, seats[i], time);
            }
        }
    }

    /** Gives up all seats, also those that did not answer. */
    public Votes release(Duration time) {
        synchronized (this) {
            givenUp = true;
        }
        Votes released = new Votes(seats.length);
        List<MemberClaim> left = seats();
        for (int i = 0; i < left.size(); i++) {
            released.count(i, left.get(i).release(time));
        }
        return released;
    }

    /** Completes when all tries have ended, after which they are released; null if they have ended already. */
    @Nullable
    public CompletionStage<?> whenTried() {
        CompletableFuture<?>[] tries = Arrays.stream(seats)
                .map(seat -> seat.tried().handle((granted, failure) -> failure))
                .toArray(CompletableFuture[]::new);
        CompletableFuture<?> all = CompletableFuture.allOf(tries);
        return all.isDone() ? null : all;
    }

    /** Why the yes of members did not count. */
    public List<String> objections() {
        List<StoreRun> runs = runs();
        return Arrays.stream(seats)
                .filter(seat -> seat.isTried())
                .flatMap(seat -> quorum.eligibility().objection(seat.run(), runs, began).stream()
                        .map(why -> seat.member().name() + " " + why))
                .toList();
    }
}
