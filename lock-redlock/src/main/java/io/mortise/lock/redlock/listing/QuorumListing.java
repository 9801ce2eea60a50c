// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.listing;

import io.mortise.lock.LockHolder;
import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.member.MemberClaim.Label;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Reads who holds which lock, from what a majority of the members answers, and revokes locks. Thread-safe. */
public final class QuorumListing {
    private final Quorum quorum;

    public QuorumListing(Quorum quorum) {
        this.quorum = quorum;
    }

    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        List<List<LockHolder>> told = inspectAll(lock, quorum.settings().memberTime(atMost, 1), atMost);
        boolean undecided = told.size() < quorum.size()
                && claims(lock, told).filter(claims -> token(claims).isEmpty()).isPresent();
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (undecided && left.compareTo(quorum.settings().memberTimeout()) >= 0) {
            // The tokens differ, and a slower member may tell which of them most have granted.
            told = inspectAll(lock, left.multipliedBy(3).dividedBy(4), left);
        }
        return holder(lock, told);
    }

    /**
     * Revokes the claims of the round that holds a lock, member by member. When a majority of the members refuses the holder,
     * no renewal gets a majority any more, and no lost claim is made anew.
     *
     * @param now whether the lock is free at once, or when the holder's lease ends
     * @return false if nobody held it
     */
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        Duration half = atMost.dividedBy(2);
        Optional<List<LockHolder>> held =
                claims(lock, inspectAll(lock, quorum.settings().memberTime(half, 1), half));
        if (held.isEmpty()) {
            return false;
        }
        String round = round(held.get().get(0));
        Votes votes = quorum.newVotes();
        Duration time = quorum.settings().memberTime(atMost, 2);
        for (int i = 0; i < quorum.size(); i++) {
            Member member = quorum.members().get(i);
            votes.count(i, member.askOnThread(time, left -> revoke(member, lock, round, reason, now, left)));
        }
        votes.awaitUninterruptibly(votes::isComplete, end);
        if (votes.outcome() == Answer.UNKNOWN) {
            throw votes.undecided("revoking lock '" + lock + "'");
        }
        return votes.outcome() == Answer.YES;
    }

    /** Revokes the claim of one round only: whoever else tries to get the lock meanwhile is left alone. */
    private static boolean revoke(
            Member member, String lock, String round, String reason, boolean now, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        boolean holds = member.backend()
                .inspect(lock, atMost)
                .filter(holder -> round(holder).equals(round))
                .isPresent();
        Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
        return holds && member.backend().revoke(lock, reason, now, left);
    }

    private static String round(LockHolder holder) {
        return Label.of(holder.label()).round();
    }

    private List<List<LockHolder>> inspectAll(String lock, Duration each, Duration atMost) {
        return ask(
                "inspecting lock '" + lock + "'",
                (member, time) -> member.backend().inspect(lock, time).stream().toList(),
                each,
                atMost);
    }

    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        List<LockHolder> page = new ArrayList<>();
        String from = after;
        while (page.size() < limit) {
            String last = from;
            Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            List<List<LockHolder>> told = ask(
                    "listing locks",
                    (member, time) -> member.backend().list(prefix, last, limit, time),
                    left.multipliedBy(3).dividedBy(4),
                    left);
            NavigableSet<String> names = completeNames(told, limit);
            for (String name : names) {
                holder(name, told).filter(holder -> page.size() < limit).ifPresent(page::add);
            }
            if (names.isEmpty() || told.stream().allMatch(some -> some.size() < limit)) {
                break;
            }
            from = names.last();
        }
        return page;
    }

    /** The names up to the last one for which every member has told its holder. */
    private static NavigableSet<String> completeNames(List<List<LockHolder>> told, int limit) {
        TreeSet<String> names = new TreeSet<>();
        told.forEach(some -> some.forEach(holder -> names.add(holder.lock())));
        Optional<String> complete = told.stream()
                .filter(some -> some.size() == limit)
                .map(some -> some.get(limit - 1).lock())
                .min(String::compareTo);
        return complete.map(name -> new TreeSet<>(names.headSet(name, true))).orElse(names);
    }

    private Optional<LockHolder> holder(String lock, List<List<LockHolder>> told) {
        return claims(lock, told).map(claims -> holderOf(lock, claims));
    }

    /**
     * The members' claims of the round that holds a lock: at more than half of the members that answered, and, if those that did
     * not answer hold it too, at a majority.
     */
    private Optional<List<LockHolder>> claims(String lock, List<List<LockHolder>> told) {
        List<LockHolder> holders = told.stream()
                .flatMap(some -> some.stream()
                        .filter(holder -> holder.lock().equals(lock))
                        .limit(1))
                .toList();
        return holders.stream()
                .map(QuorumListing::round)
                .map(round -> holders.stream()
                        .filter(holder -> round(holder).equals(round))
                        .toList())
                .filter(claims -> 2 * claims.size() > told.size()
                        && claims.size() + quorum.size() - told.size() >= quorum.majority())
                .findFirst();
    }

    /** The lock is free again when so many claims have ended that the rest is no majority. */
    private LockHolder holderOf(String lock, List<LockHolder> claims) {
        List<Duration> remaining = claims.stream()
                .flatMap(claim -> claim.remaining().stream())
                .sorted((one, other) -> other.compareTo(one))
                .toList();
        LockHolder any = claims.get(0);
        return new LockHolder(
                lock,
                Label.of(any.label()).label(),
                token(claims).orElseGet(() -> claims.stream()
                        .mapToLong(LockHolder::fencingToken)
                        .max()
                        .orElse(0)),
                claims.stream()
                        .map(QuorumListing::heldFor)
                        .max(Duration::compareTo)
                        .orElse(any.heldFor()),
                remaining.size() < claims.size()
                        ? Optional.empty()
                        : Optional.of(remaining.get(Math.min(quorum.majority(), remaining.size()) - 1)),
                OptionalInt.empty(),
                claims.stream()
                        .flatMap(claim -> claim.revocationReason().stream())
                        .findFirst());
    }

    /** Counted from the grant also where a member was given the lock again since. */
    private static Duration heldFor(LockHolder claim) {
        return claim.heldFor().plus(Label.of(claim.label()).age());
    }

    /** The token of a claim whose label has it, or the one that a majority has granted; empty if there is no such. */
    private Optional<Long> token(List<LockHolder> claims) {
        if (!quorum.settings().fenced()) {
            return Optional.of(0L);
        }
        return claims.stream()
                .map(claim -> Label.of(claim.label()).token())
                .filter(token -> token > 0)
                .findFirst()
                .or(() -> claims.stream()
                        .map(LockHolder::fencingToken)
                        .filter(token -> count(claims, token) >= quorum.majority())
                        .findFirst());
    }

    private static long count(List<LockHolder> claims, long token) {
        return claims.stream().filter(claim -> claim.fencingToken() == token).count();
    }

    /** What the members tell that answer within {@code each}, if they are a majority. */
    private List<List<LockHolder>> ask(
            String what, BiFunction<Member, Duration, List<LockHolder>> question, Duration each, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        Votes votes = quorum.newVotes();
        List<CompletableFuture<List<LockHolder>>> answers = new ArrayList<>();
        for (int i = 0; i < quorum.size(); i++) {
            Member member = quorum.members().get(i);
            CompletableFuture<List<LockHolder>> answer = member.askOnThread(each, time -> question.apply(member, time));
            answers.add(answer);
            votes.count(i, answer.thenApply(holders -> true));
        }
        votes.awaitUninterruptibly(votes::isComplete, end);
        if (!votes.hasMajority()) {
            throw votes.undecided(what);
        }
        return answers.stream().flatMap(QuorumListing::told).toList();
    }

    private static Stream<List<LockHolder>> told(CompletableFuture<List<LockHolder>> answer) {
        try {
            return Stream.ofNullable(answer.getNow(null));
        } catch (CompletionException | BackendException unanswered) {
            return Stream.empty();
        }
    }
}
