// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.spi.StoreRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whose yes counts. Not that of a member which was restarted so recently that leases may still run which it has forgotten,
 * unless a majority was started with it: then this is a new quorum, or one that has forgotten everything, and on strict settings
 * it waits all the same. Not that of a member whose clock is wrong. And nobody's while two members are one server. Members that do not tell their runs are believed.
 * Thread-safe.
 */
public final class VoteEligibility {
    /** Processes that were started within this time were started together. */
    private static final long TOGETHER_NANOS = Duration.ofSeconds(10).toNanos();

    private final List<Member> members;
    private final QuorumSettings settings;

    public VoteEligibility(List<Member> members, QuorumSettings settings) {
        this.members = members;
        this.settings = settings;
    }

    /**
     * Why the yes of a run does not count among the yes of others; empty if it does. Its age counts at the moment before it was
     * asked: what it says in its youth is not heard later either.
     */
    public Optional<String> objection(@Nullable StoreRun run, Collection<StoreRun> others, long asked) {
        if (run == null) {
            return Optional.empty();
        }
        long ahead = TimeUnit.MICROSECONDS.toMillis(run.clockAheadMicros() - median(others));
        if (Math.abs(ahead) > settings.clockBound().toMillis()) {
            return Optional.of("has no vote: its clock differs from the others' by " + ahead + " ms");
        }
        long ran = asked - run.startedBefore();
        if (ran >= settings.restartDelay().toNanos() || (!settings.strict() && isOfMajority(run, others))) {
            return Optional.empty();
        }
        return Optional.of("has no vote yet: it was started " + TimeUnit.NANOSECONDS.toSeconds(Math.max(0, ran))
                + " s before and may have forgotten leases; it has one after " + settings.restartDelay());
    }

    /** Two members that are one server; empty if none are, as far as they have answered. */
    public Optional<String> duplicate() {
        TreeMap<String, Member> servers = new TreeMap<>();
        for (Member member : members) {
            StoreRun run = member.run();
            Member same = run == null ? null : servers.put(run.id(), member);
            if (same != null) {
                return Optional.of(same.name() + " and " + member.name()
                        + " are one server under two addresses, which must not vote twice; remove one of them");
            }
        }
        return Optional.empty();
    }

    /** What the clocks of the members say now, at most, in microseconds from the epoch; 0 if no member tells. */
    public long latestMicros() {
        long nanos = System.nanoTime();
        long now = TimeUnit.NANOSECONDS.toMicros(nanos);
        List<StoreRun> runs = members.stream()
                .flatMap(member -> Optional.ofNullable(member.run()).stream())
                .toList();
        return runs.stream()
                .filter(run -> objection(run, runs, nanos).isEmpty())
                .mapToLong(run -> now + run.clockAheadMicros())
                .max()
                .orElse(0);
    }

    private boolean isOfMajority(StoreRun run, Collection<StoreRun> others) {
        int enough = Votes.majority(members.size());
        List<Long> starts = new ArrayList<>(others.stream()
                .map(other -> other.startedBefore() - run.startedBefore())
                .filter(apart -> Math.abs(apart) <= TOGETHER_NANOS)
                .sorted()
                .toList());
        for (int i = 0; i + enough <= starts.size(); i++) {
            if (starts.get(i) <= 0
                    && starts.get(i + enough - 1) >= 0
                    && starts.get(i + enough - 1) - starts.get(i) <= TOGETHER_NANOS) {
                return true;
            }
        }
        return false;
    }

    private static long median(Collection<StoreRun> runs) {
        long[] clocks = runs.stream().mapToLong(StoreRun::clockAheadMicros).toArray();
        Arrays.sort(clocks);
        return clocks[clocks.length / 2];
    }
}
