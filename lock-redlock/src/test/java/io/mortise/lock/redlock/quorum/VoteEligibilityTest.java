// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.spi.StoreIncarnation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** P11: whose vote counts after a restart and with a wrong clock. */
class VoteEligibilityTest {
    private static final Duration DELAY = Duration.ofSeconds(60);
    private static final Duration LONG_AGO = Duration.ofHours(5);

    private final List<Member> members = IntStream.range(0, 5)
            .mapToObj(i -> new Member("m" + i, new MemoryBackend(new MemoryStore(Ticker.system()))))
            .toList();
    private final VoteEligibility eligibility = eligibility(false);

    private VoteEligibility eligibility(boolean newQuorum) {
        return new VoteEligibility(
                members, new QuorumSettings(Duration.ofMillis(250), DELAY, newQuorum, Duration.ofSeconds(1), true));
    }

    private Optional<String> objection(@Nullable StoreIncarnation incarnation, List<StoreIncarnation> others) {
        return eligibility.objection(incarnation, others, System.nanoTime());
    }

    private static StoreIncarnation incarnation(String id, Duration ago, Duration ahead) {
        return new StoreIncarnation(id, System.nanoTime() - ago.toNanos(), ahead.toNanos() / 1000);
    }

    private static StoreIncarnation started(String id, Duration ago) {
        return incarnation(id, ago, Duration.ZERO);
    }

    @Test
    void aMemberThatDoesNotTellItsRunIsBelieved() {
        assertThat(objection(null, List.of())).isEmpty();
    }

    @Test
    void aMemberHasNoVoteUntilTheDelayIsOver() {
        StoreIncarnation young = started("young", Duration.ofSeconds(50));
        StoreIncarnation old = started("old", Duration.ofSeconds(61));
        List<StoreIncarnation> all = List.of(young, old, started("a", LONG_AGO), started("b", LONG_AGO));

        assertThat(objection(young, all))
                .hasValueSatisfying(why -> assertThat(why).contains("50 s before", "for another 10 s"));
        assertThat(objection(old, all)).isEmpty();
    }

    /** The member's clock, and so its token, are those of the moment when it was asked. */
    @Test
    void aVoteBeforeTheDelayDoesNotCountLater() {
        StoreIncarnation incarnation = started("run", DELAY);
        List<StoreIncarnation> all = List.of(incarnation, started("a", LONG_AGO), started("b", LONG_AGO));
        long asked = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);

        assertThat(objection(incarnation, all)).isEmpty();
        assertThat(eligibility.objection(incarnation, all, asked)).isPresent();
    }

    @Test
    void aRunThatClaimsToOverlapItsPredecessorCountsAsNew() {
        Member member = members.get(0);
        member.record(started("before", LONG_AGO));
        long met = System.nanoTime();

        assertThat(member.record(started("after", Duration.ofHours(2))).startedBefore() - met)
                .isNotNegative();
        assertThat(member.record(started("after", Duration.ofHours(3))).startedBefore() - met)
                .as("once found out, it is not believed again")
                .isNotNegative();
        assertThat(objection(member.incarnation(), List.of(started("a", LONG_AGO), started("b", LONG_AGO))))
                .hasValueSatisfying(why -> assertThat(why).contains("no vote for another"));
    }

    @Test
    void aRunThatBeganAfterItsPredecessorIsBelieved() {
        Member member = members.get(0);
        member.record(started("before", LONG_AGO));
        StoreIncarnation after = started("after", Duration.ZERO);

        assertThat(member.record(after)).isEqualTo(after);
    }

    @Test
    void membersThatWereStartedTogetherWaitForTheDelay() {
        StoreIncarnation one = started("one", Duration.ofSeconds(3));
        List<StoreIncarnation> all =
                List.of(one, started("two", Duration.ofSeconds(4)), started("three", Duration.ofSeconds(9)));

        assertThat(objection(one, all))
                .hasValueSatisfying(why -> assertThat(why).contains("for another 57 s", "3 s before"));
        assertThat(eligibility.advice(all, System.nanoTime()))
                .hasValueSatisfying(what -> assertThat(what).contains("newQuorum"));
    }

    @Test
    void aMinorityThatWasRestartedIsNoReasonToBeginANewQuorum() {
        List<StoreIncarnation> all = List.of(
                started("one", Duration.ofSeconds(3)),
                started("two", Duration.ofSeconds(4)),
                started("three", LONG_AGO));

        assertThat(eligibility.advice(all, System.nanoTime())).isEmpty();
    }

    @Test
    void aNewQuorumVotesAtOnce() {
        VoteEligibility newQuorum = eligibility(true);
        StoreIncarnation met = started("met", Duration.ofSeconds(3));
        members.get(0).record(met);

        assertThat(newQuorum.objection(met, List.of(met), System.nanoTime())).isEmpty();
    }

    @Test
    void aMemberThatIsRestartedUnderANewQuorumWaitsForTheDelay() {
        VoteEligibility newQuorum = eligibility(true);
        members.get(0).record(started("met", Duration.ofSeconds(3)));
        StoreIncarnation restarted = started("restarted", Duration.ZERO);
        members.get(0).record(restarted);

        assertThat(newQuorum.objection(restarted, List.of(restarted), System.nanoTime()))
                .isPresent();
    }

    @Test
    void aMemberThatCameLongAfterTheClientWaitsForTheDelay() {
        VoteEligibility newQuorum = eligibility(true);
        StoreIncarnation late = started("late", Duration.ofSeconds(-20));
        members.get(0).record(late);

        assertThat(newQuorum.objection(late, List.of(late), System.nanoTime() + TimeUnit.SECONDS.toNanos(30)))
                .isPresent();
    }

    @Test
    void aMemberWhoseClockDiffersFromMostHasNoVote() {
        StoreIncarnation wrong = incarnation("wrong", LONG_AGO, Duration.ofSeconds(-3));
        StoreIncarnation right = incarnation("right", LONG_AGO, Duration.ofMillis(900));
        List<StoreIncarnation> all = List.of(wrong, right, started("a", LONG_AGO));

        assertThat(objection(wrong, all))
                .hasValueSatisfying(why -> assertThat(why).contains("clock"));
        assertThat(objection(right, all)).isEmpty();
    }

    @Test
    void twoAddressesOfOneServerAreFound() {
        members.get(0).record(started("same", LONG_AGO));
        members.get(1).record(started("other", LONG_AGO));
        assertThat(eligibility.duplicate()).isEmpty();

        members.get(4).record(started("same", LONG_AGO));
        assertThat(eligibility.duplicate())
                .hasValueSatisfying(why -> assertThat(why).contains("m0 and m4"));
    }
}
