// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every wrong lock fails, by the rule that names its mistake, with a message that explains it. */
class WrongLocksAreCaughtTest {
    /** A wrong lock may fail for two reasons; a right one must pass on a machine that stands still for a moment, too. */
    private static final Duration AMPLE = Duration.ofSeconds(1);

    static List<Gallery.Exhibit> exhibits() {
        return Gallery.ALL;
    }

    @ParameterizedTest
    @MethodSource("exhibits")
    void aWrongLockFailsByItsRule(Gallery.Exhibit exhibit) {
        Set<String> cases = new LinkedHashSet<>(exhibit.caughtBy());
        cases.addAll(Gallery.QUICK);
        Map<String, String> failures =
                SuiteRun.of(exhibit.store().get(), WrongLockTck.LEASE, cases).failures();

        assertThat(failures.keySet()).containsAll(exhibit.caughtBy());
        if (exhibit.alone()) {
            assertThat(failures.keySet()).isEqualTo(new TreeSet<>(exhibit.caughtBy()));
        }
        exhibit.caughtBy().forEach(name -> assertThat(failures.get(name))
                .startsWith(name.substring(0, name.indexOf('_')).toUpperCase(Locale.ROOT) + " is broken. ")
                .contains("Why it matters: ")
                .contains("What happened: ")
                .contains("Time line:"));
    }

    @Test
    void theRightLockPassesTheSameCases() {
        Set<String> cases = new TreeSet<>(Gallery.QUICK);
        Gallery.ALL.forEach(exhibit -> cases.addAll(exhibit.caughtBy()));

        assertThat(SuiteRun.of(new TinyStore(), AMPLE, cases).failures()).isEmpty();
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

        assertThat(SuiteRun.of(right, AMPLE, cases).failures()).isEmpty();
    }
}
