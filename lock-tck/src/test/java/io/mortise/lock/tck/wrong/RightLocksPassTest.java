// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The right locks that the wrong ones are made of pass the cases that catch them. */
class RightLocksPassTest {
    /** A wrong lock may fail for two reasons; a right one must pass on a machine that stands still for a moment, too. */
    private static final Duration AMPLE = Duration.ofSeconds(1);

    @Test
    void theRightLockPassesTheSameCases() {
        Set<String> cases = new TreeSet<>(WrongLock.QUICK);
        WrongLock.ALL.forEach(lock -> cases.addAll(lock.caughtBy()));

        assertThat(WrongLockTck.run(new TinyStore(), AMPLE, cases).failures()).isEmpty();
    }

    @Test
    void aLockThatTellsWhatIsSpentOfItsLeasesIsRight() {
        TinyStore right = new WrongLeases.CountsFromAnEarlierExchange(0.3) {
            @Override
            Duration spent(TinyClaim claim) {
                return Duration.ofNanos(nanosSpent(claim));
            }
        };
        List<String> cases = List.of(
                "f1_freeAfterTheLeaseAndNotBefore",
                "f2_shortLeasesAreHonoured",
                "f2_longLeasesAreHonoured",
                "f4_aRepeatedTryExtendsToTheFullLease",
                "f4_theHolderGivesUpBeforeTheStoreDoes",
                "g1_heldForFiveLeases",
                "h3_silenceIsRiskAndThenLoss");

        assertThat(WrongLockTck.run(right, AMPLE, cases).failures()).isEmpty();
    }
}
