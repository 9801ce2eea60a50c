// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.spi.StoreIncarnation;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides which members' votes count. Excludes a member that was restarted so recently that it may have forgotten a
 * live lease, and a member whose clock is wrong. Finds two members that are one server. Thread-safe.
 *
 * <p>If the settings say that the quorum is new, the processes that this client meets first may vote at once if they were started
 * before the client was opened. A process that takes the place of another one is never excepted. Members that do not tell their
 * incarnations are believed.
 */
public final class VoteEligibility {
    /** How late a process may seem to have been started: ages are told in whole seconds, and answers take time. */
    private static final long AGE_TOLERANCE_NANOS = Duration.ofSeconds(10).toNanos();

    /** What to do if the members that are missing have no vote only because they were started recently. */
    private static final String WORD =
            "if no client can hold a lock of these members, as at their very first start, the option newQuorum lets them vote"
                    + " at once";

    private final List<Member> members;
    private final QuorumSettings settings;
    private final long opened = System.nanoTime();

    VoteEligibility(List<Member> members, QuorumSettings settings) {
        this.members = members;
        this.settings = settings;
    }

    /**
     * Why the yes of an incarnation does not count; empty if it does.
     *
     * @param incarnation the incarnation that said yes; null if the member does not tell its incarnation
     * @param others the incarnations that the members told in this round, this one included
     * @param asked the moment before the member was asked. The incarnation's age at this moment decides: a vote cast before the
     *     restart delay never counts, not even later
     */
    public Optional<String> objection(
            @Nullable StoreIncarnation incarnation, Collection<StoreIncarnation> others, long asked) {
        if (incarnation == null) {
            return Optional.empty();
        }
        long ahead = TimeUnit.MICROSECONDS.toMillis(incarnation.clockAheadMicros() - median(others));
        if (Math.abs(ahead) > settings.clockBound().toMillis()) {
            return Optional.of("has no vote: its clock differs from the others' by " + ahead + " ms");
        }
        long ran = asked - incarnation.startedBefore();
        long missing = settings.restartDelay().toNanos() - ran;
        if (missing <= 0 || isOfNewQuorum(incarnation)) {
            return Optional.empty();
        }
        return Optional.of("has no vote for another " + (TimeUnit.NANOSECONDS.toSeconds(missing) + 1)
                + " s: it was started " + TimeUnit.NANOSECONDS.toSeconds(Math.max(0, ran))
                + " s before, and may have forgotten leases");
    }

    /** Whether the settings except a process from the restart delay. */
    private boolean isOfNewQuorum(StoreIncarnation incarnation) {
        return settings.newQuorum()
                && incarnation.startedBefore() - opened <= AGE_TOLERANCE_NANOS
                && members.stream().anyMatch(member -> incarnation.id().equals(member.firstIncarnation()));
    }

    /**
     * What a caller can do whose round failed because members were started recently; empty if that was not why.
     *
     * @param incarnations the incarnations that the members told in the round
     * @param asked the moment before the members were asked
     */
    public Optional<String> advice(Collection<StoreIncarnation> incarnations, long asked) {
        long recent = incarnations.stream()
                .filter(one ->
                        asked - one.startedBefore() < settings.restartDelay().toNanos() && !isOfNewQuorum(one))
                .count();
        return members.size() - recent < Votes.majority(members.size()) && !settings.newQuorum()
                ? Optional.of(WORD)
                : Optional.empty();
    }

    /** Names two members that are one server; empty if there are none among those that have answered. */
    public Optional<String> duplicate() {
        TreeMap<String, Member> servers = new TreeMap<>();
        for (Member member : members) {
            StoreIncarnation incarnation = member.incarnation();
            Member same = incarnation == null ? null : servers.put(incarnation.id(), member);
            if (same != null) {
                return Optional.of(same.name() + " and " + member.name()
                        + " are one server under two addresses, which must not vote twice; remove one of them");
            }
        }
        return Optional.empty();
    }

    /** The time that the furthest clock of an eligible member shows now, in microseconds since the epoch; 0 if none tells. */
    long latestClockMicros() {
        long nanos = System.nanoTime();
        long now = TimeUnit.NANOSECONDS.toMicros(nanos);
        List<StoreIncarnation> incarnations = members.stream()
                .flatMap(member -> Optional.ofNullable(member.incarnation()).stream())
                .toList();
        return incarnations.stream()
                .filter(incarnation ->
                        objection(incarnation, incarnations, nanos).isEmpty())
                .mapToLong(incarnation -> now + incarnation.clockAheadMicros())
                .max()
                .orElse(0);
    }

    private static long median(Collection<StoreIncarnation> incarnations) {
        long[] clocks = new long[incarnations.size()];
        int next = 0;
        for (StoreIncarnation incarnation : incarnations) {
            clocks[next++] = incarnation.clockAheadMicros();
        }
        Arrays.sort(clocks);
        return clocks[clocks.length / 2];
    }
}
