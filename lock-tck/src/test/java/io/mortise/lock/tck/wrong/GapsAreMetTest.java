// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.wrong.WrongAtomicity.Gap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A gap between two steps is met each time, and not only with luck: the races are run again and again. More often, and with other
 * gaps, with {@code -Dmortise.gap.runs=100} and {@code -Dmortise.gap.micros=5000}.
 */
class GapsAreMetTest {
    private static final int RUNS = Integer.getInteger("mortise.gap.runs", 4);
    private static final long NANOS = TimeUnit.MICROSECONDS.toNanos(Long.getLong("mortise.gap.micros", 100));

    static Stream<Arguments> gaps() {
        return Stream.of(
                gap("e1_aReleaseRacesWithTheEndOfItsLease", WrongAtomicity.ReleaseComparesThenDeletes::new),
                gap("e1_aReleaseRacesWithTheEndOfItsLease", WrongAtomicity.ReleaseTellsWhatTheDeleteFound::new),
                gap("e1_aReleaseRacesWithARevocation", WrongAtomicity.ReleaseComparesThenDeletes::new),
                gap("e1_aReleaseRacesWithARevocation", WrongAtomicity.RevocationLooksThenFrees::new),
                gap("e2_aRenewalRacesWithTheEndOfItsLease", WrongAtomicity.RenewalComparesThenExtends::new),
                gap("e2_aRenewalRacesWithTheEndOfItsLease", WrongAtomicity.RenewalWritesBack::new),
                gap("e2_aRenewalRacesWithTheEndOfItsLease", WrongAtomicity.RenewalLooksAtTheEndFirst::new),
                gap("e2_renewalsTogetherRaceWithTheEndsOfTheirLeases", WrongAtomicity.RenewalWritesBack::new),
                gap("e2_aRenewalRacesWithARevocation", WrongAtomicity.RenewalComparesThenExtends::new),
                gap("e2_aRenewalRacesWithARevocation", WrongAtomicity.RenewalWritesBack::new),
                gap("e2_aRepeatedTryRacesWithTheEndOfItsLease", WrongAtomicity.RepeatedTryComparesThenExtends::new),
                gap("a1_triesRaceForAnEndedLease", WrongAtomicity.TryComparesThenWrites::new),
                gap("i4_raisingRacesWithTheEndOfTheLease", WrongAtomicity.RaisingComparesThenSets::new),
                gap("i4_raisingRacesWithTheEndOfTheLease", WrongAtomicity.RaisingLowersWhatHasRisen::new));
    }

    private static Arguments gap(String name, Function<Gap, TinyStore> store) {
        return Arguments.of(name, store);
    }

    @ParameterizedTest
    @MethodSource("gaps")
    void everyRunMeetsIt(String name, Function<Gap, TinyStore> store) {
        int missed = 0;
        for (int i = 0; i < RUNS; i++) {
            Gap gap = i % 2 == 0 ? Gap.parking(NANOS) : Gap.spinning(NANOS);
            missed += WrongLockTck.run(store.apply(gap), WrongLockTck.LEASE, List.of(name))
                            .failures()
                            .isEmpty()
                    ? 1
                    : 0;
        }
        System.out.println("ODDS " + NANOS / 1000 + " us " + name + " "
                + store.apply(Gap.spinning(1)).getClass().getSimpleName() + " missed " + missed + " of " + RUNS);
        assertThat(missed).as("runs that missed the gap, of " + RUNS).isZero();
    }
}
