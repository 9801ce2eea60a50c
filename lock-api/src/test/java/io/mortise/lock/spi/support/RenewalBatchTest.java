// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RenewalBatchTest {
    /** A claim that is only itself. */
    private record NamedClaim(String name) implements Claim {
        @Override
        public boolean tryAcquire(Duration atMost) {
            return false;
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            return false;
        }

        @Override
        public boolean release(Duration atMost) {
            return false;
        }
    }

    private final RenewalBatch<NamedClaim> batch = new RenewalBatch<>(
            Stream.of("a1", "b1", "a2", "a3", "b2")
                    .map(name -> new Renewal(new NamedClaim(name), lease(name)))
                    .toList(),
            NamedClaim.class);

    @Test
    void groupsKeepTheOrderAndTheLimit() {
        assertThat(batch.groups(2)).extracting(RenewalBatchTest::names).containsExactly("a1b1", "a2a3", "b2");
        assertThat(batch.groups(9)).extracting(RenewalBatchTest::names).containsExactly("a1b1a2a3b2");
    }

    @Test
    void groupsByKeyKeepTheOrderAndTheLimit() {
        assertThat(batch.groups(claim -> claim.name().charAt(0), 2))
                .extracting(RenewalBatchTest::names)
                .containsExactly("a1a2", "b1b2", "a3");
    }

    @Test
    void anAnswerGoesToItsClaimWhateverTheGroup() {
        List<RenewalBatch<NamedClaim>.Group> groups =
                batch.groups(claim -> claim.name().charAt(0), 2);
        groups.get(0).answer(1, Answer.YES);
        groups.get(1).answer(0, Answer.NO);
        groups.get(2).answer(0, Answer.YES);

        assertThat(batch.answers()).containsExactly(Answer.UNKNOWN, Answer.NO, Answer.YES, Answer.YES, Answer.UNKNOWN);
        assertThat(batch.unanswered()).extracting(RenewalBatchTest::names).containsExactly("a1", "b2");
        batch.unanswered().get(1).answer(0, Answer.NO);
        assertThat(batch.answers().get(4)).isEqualTo(Answer.NO);
    }

    @Test
    void anEmptyBatchHasNoGroups() {
        RenewalBatch<NamedClaim> empty = new RenewalBatch<>(List.of(), NamedClaim.class);

        assertThat(empty.groups(3)).isEmpty();
        assertThat(empty.answers()).isEmpty();
    }

    @Test
    void aGroupTellsTheLeaseOfEachOfItsClaims() {
        RenewalBatch<NamedClaim>.Group second =
                batch.groups(claim -> claim.name().charAt(0), 2).get(1);

        assertThat(second.leases()).containsExactly(lease("b1"), lease("b2"));
        assertThat(second.lease(1)).isEqualTo(lease("b2"));
    }

    /** Another one for each name. */
    private static Duration lease(String name) {
        return Duration.ofSeconds(name.charAt(0)).plusMillis(name.charAt(1));
    }

    private static String names(RenewalBatch<NamedClaim>.Group group) {
        return String.join("", group.claims().stream().map(NamedClaim::name).toList());
    }
}
