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
 * <p>Members that were started together with a majority may vote at once, unless the settings forbid it: they are a new quorum,
 * or one that was restarted as a whole. Members that do not tell their incarnations are believed.
 */
public final class VoteEligibility {
    /** Processes that were started within this time were started together. */
    private static final long TOGETHER_NANOS = Duration.ofSeconds(10).toNanos();

    private final List<Member> members;
    private final QuorumSettings settings;

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
        if (ran >= settings.restartDelay().toNanos()
                || (!settings.delaysNewQuorum() && isStartedWithMajority(incarnation, others))) {
            return Optional.empty();
        }
        return Optional.of("has no vote yet: it was started " + TimeUnit.NANOSECONDS.toSeconds(Math.max(0, ran))
                + " s before and may have forgotten leases; it has a vote after " + settings.restartDelay());
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

    private boolean isStartedWithMajority(StoreIncarnation incarnation, Collection<StoreIncarnation> others) {
        int enough = Votes.majority(members.size());
        List<Long> starts = others.stream()
                .map(other -> other.startedBefore() - incarnation.startedBefore())
                .filter(apart -> Math.abs(apart) <= TOGETHER_NANOS)
                .sorted()
                .toList();
        for (int i = 0; i + enough <= starts.size(); i++) {
            if (starts.get(i) <= 0
                    && starts.get(i + enough - 1) >= 0
                    && starts.get(i + enough - 1) - starts.get(i) <= TOGETHER_NANOS) {
                return true;
            }
        }
        return false;
    }

    private static long median(Collection<StoreIncarnation> incarnations) {
        long[] clocks = incarnations.stream()
                .mapToLong(StoreIncarnation::clockAheadMicros)
                .toArray();
        Arrays.sort(clocks);
        return clocks[clocks.length / 2];
    }
}
