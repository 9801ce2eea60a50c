// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.time.StallMeter;
import io.mortise.lock.tck.wrong.WrongAtomicity.Gap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A gap between two steps is met each time, and not only with luck: the races are run again and again. A run that missed it while the
 * machine stood still proves nothing, as in the suite itself, and another one takes its place. More often, and with other
 * gaps, with {@code -Dmortise.gap.runs=100} and {@code -Dmortise.gap.micros=5000}.
 */
class GapsAreMetTest {
    private static final int RUNS = Integer.getInteger("mortise.gap.runs", 4);
    private static final int MOST_RUNS = 3 * RUNS;

    /** A tenth of the lease. */
    private static final long SHORTEST_STALL = WrongLockTck.LEASE.dividedBy(10).toNanos();

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
        int met = 0;
        int missed = 0;
        for (int i = 0; met + missed < RUNS && i < MOST_RUNS; i++) {
            Gap gap = i % 2 == 0 ? Gap.parking(NANOS) : Gap.spinning(NANOS);
            long stood = StallMeter.nanos();
            boolean isCaught = !WrongLockTck.run(store.apply(gap), WrongLockTck.LEASE, List.of(name))
                    .failures()
                    .isEmpty();
            if (isCaught) {
                met++;
            } else if (StallMeter.nanos() - stood < SHORTEST_STALL && !StallMeter.isCrowded()) {
                missed++;
            }
        }
        System.out.println("ODDS " + NANOS / 1000 + " us " + name + " "
                + store.apply(Gap.spinning(1)).getClass().getSimpleName() + " missed " + missed + " of " + RUNS);
        assertThat(missed).as("runs that missed the gap, of " + RUNS).isZero();
        assertThat(met).as("runs that met the gap").isPositive();
    }
}
