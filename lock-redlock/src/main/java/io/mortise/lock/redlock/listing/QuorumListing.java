// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.listing;

import io.mortise.lock.LockHolder;
import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.member.MemberLabel;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.RedlockFailures;
import io.mortise.lock.redlock.quorum.Votes;
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
import java.util.stream.Stream;

/** Who holds what, put together from what a majority of the members tells. Thread-safe. */
public final class QuorumListing {
    private final Quorum quorum;

    public QuorumListing(Quorum quorum) {
        this.quorum = quorum;
    }

    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return holder(lock, look(lock, atMost));
    }

    /** The round that holds a lock. */
    public Optional<String> round(String lock, Duration atMost) {
        return seats(lock, look(lock, atMost))
                .map(seats -> MemberLabel.of(seats.get(0).label()).round());
    }

    private List<List<LockHolder>> look(String lock, Duration atMost) {
        return ask(
                "inspecting lock '" + lock + "'",
                (member, time) -> member.backend().inspect(lock, time).stream().toList(),
                quorum.settings().forMember(atMost, 1),
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
            NavigableSet<String> names = names(told, limit);
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

    /** The names up to which every member has told all. */
    private static NavigableSet<String> names(List<List<LockHolder>> told, int limit) {
        TreeSet<String> names = new TreeSet<>();
        told.forEach(some -> some.forEach(holder -> names.add(holder.lock())));
        Optional<String> complete = told.stream()
                .filter(some -> some.size() == limit)
                .map(some -> some.get(limit - 1).lock())
                .min(String::compareTo);
        return complete.map(name -> new TreeSet<>(names.headSet(name, true))).orElse(names);
    }

    private Optional<LockHolder> holder(String lock, List<List<LockHolder>> told) {
        return seats(lock, told).map(seats -> ofSeats(lock, seats));
    }

    /** Those of the round that holds a lock at more than half of the members that answered, and so maybe at a majority. */
    private Optional<List<LockHolder>> seats(String lock, List<List<LockHolder>> told) {
        List<LockHolder> holders = told.stream()
                .flatMap(some -> some.stream()
                        .filter(holder -> holder.lock().equals(lock))
                        .limit(1))
                .toList();
        return Stream.iterate(0, i -> i < holders.size(), i -> i + 1)
                .map(i -> seats(holders, MemberLabel.of(holders.get(i).label()).round()))
                .filter(seats -> 2 * seats.size() > told.size()
                        && seats.size() + quorum.size() - told.size() >= quorum.majority())
                .findFirst();
    }

    private static List<LockHolder> seats(List<LockHolder> holders, String round) {
        return holders.stream()
                .filter(holder -> MemberLabel.of(holder.label()).round().equals(round))
                .toList();
    }

    /** The lock is free again when the last seat without which there is no majority ends. */
    private LockHolder ofSeats(String lock, List<LockHolder> seats) {
        List<Duration> remaining = seats.stream()
                .map(LockHolder::remaining)
                .sorted((one, other) -> other.compareTo(one))
                .toList();
        LockHolder any = seats.get(0);
        return new LockHolder(
                lock,
                MemberLabel.of(any.label()).label(),
                token(seats),
                seats.stream().map(LockHolder::heldFor).max(Duration::compareTo).orElse(any.heldFor()),
                remaining.get(Math.min(quorum.majority(), remaining.size()) - 1),
                OptionalInt.empty(),
                seats.stream().flatMap(seat -> seat.revocationReason().stream()).findFirst());
    }

    /** The token of a seat that knows it, or the one that most seats were granted, or the greatest. */
    private long token(List<LockHolder> seats) {
        if (!quorum.settings().fenced()) {
            return 0;
        }
        return seats.stream()
                .map(seat -> MemberLabel.of(seat.label()).token())
                .filter(token -> token > 0)
                .findFirst()
                .orElseGet(() -> seats.stream()
                        .map(LockHolder::fencingToken)
                        .filter(token -> 2
                                        * seats.stream()
                                                .filter(other -> other.fencingToken() == token)
                                                .count()
                                > seats.size())
                        .findFirst()
                        .orElseGet(() -> seats.stream()
                                .mapToLong(LockHolder::fencingToken)
                                .max()
                                .orElse(0)));
    }

    private interface Look {
        List<LockHolder> at(Member member, Duration atMost);
    }

    /** What the members tell that answer in {@code each}, if they are a majority. */
    private List<List<LockHolder>> ask(String question, Look look, Duration each, Duration atMost) {
        Votes votes = new Votes(quorum.size());
        List<CompletableFuture<List<LockHolder>>> answers = new ArrayList<>();
        for (int i = 0; i < quorum.size(); i++) {
            Member member = quorum.members().get(i);
            CompletableFuture<List<LockHolder>> answer = member.ask(each, time -> look.at(member, time));
            answers.add(answer);
            votes.count(i, answer.thenApply(holders -> true));
        }
        votes.awaitCalmly(votes::isComplete, System.nanoTime() + atMost.toNanos());
        if (!votes.hasMajority()) {
            throw RedlockFailures.undecided(question, votes, quorum.members(), null);
        }
        return answers.stream().flatMap(QuorumListing::told).toList();
    }

    private static Stream<List<LockHolder>> told(CompletableFuture<List<LockHolder>> answer) {
        try {
            List<LockHolder> holders = answer.getNow(null);
            return holders == null ? Stream.empty() : Stream.of(holders);
        } catch (CompletionException | BackendException unanswered) {
            return Stream.empty();
        }
    }
}
