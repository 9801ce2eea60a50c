// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An engine that treats a right store wrongly fails by the rule that says so. */
public class WrongEnginesAreCaughtTest {
    @ParameterizedTest
    @CsvSource({
        "RENEWS_AFTER_THE_RELEASE, g4_nothingRenewsAfterARelease",
        "GIVES_UP_RENEWING, g2_someFailedRenewalsLoseNothing",
        "TELLS_THE_NEIGHBOUR, g15_holdersLearnTheirOwnFates",
        "TAKES_SILENCE_FOR_BUSY, c7_silenceIsNotBusy",
        "TAKES_REFUSAL_FOR_SILENCE, o9_aTryWithoutPermissionIsRefusedAtOnce",
        "TAKES_REFUSAL_FOR_BUSY, o9_aTryWithoutPermissionIsRefusedAtOnce",
        "GIVES_UP_WHEN_A_RENEWAL_IS_REFUSED, o9_aHolderWithoutPermissionIsToldAtTheEndOfItsLease",
        "TAKES_A_REFUSED_RELEASE_FOR_A_LOSS, o9_aReleaseWithoutPermissionSaysSo",
        "FREES_WHAT_IS_TO_BE_KEPT, f8_minHoldIsKeptAfterTheRelease",
        "FREES_WHAT_IS_TO_BE_KEPT, f8_minHoldIsKeptAfterTheEndOfTheClient",
        "FREES_WHAT_IS_TO_BE_KEPT, f9_lockDelayKeepsOthersOutAfterAnUncleanEnd",
        "DELAYS_IN_THE_CLIENT_ONLY, f9_lockDelayKeepsOthersOutAfterAHolderThatIsCutOff",
        "DELAYS_AFTER_EACH_RELEASE, f9_aCleanReleaseHasNoDelay",
        "LEAVES_ITS_PLACE_BEHIND, d2_anInterruptEndsTheWaitCleanly",
        "BELIEVES_WITHOUT_AN_ANSWER, h3_aPartitionedHolderGivesUpInTime",
        "TAKES_ITS_OWN_QUESTION_FOR_A_HOLDER, c7_silenceIsNotBusyForAnyThread",
        "RENEWS_TO_THE_FIRST_LENGTH, g14_anExtendedLeaseLastsWithoutRenewals"
    })
    void aWrongEngineFailsByItsRule(WrongEngine engine, String caughtBy) {
        failsByItsRule(WrongEngineTck.class, engine, caughtBy);
    }

    @ParameterizedTest
    @CsvSource({
        "PROMISES_WHAT_NO_STORE_KEEPS, f8_minHoldIsRefusedIfNothingIsKept",
        "PROMISES_WHAT_NO_STORE_KEEPS, f9_lockDelayIsRefusedIfNothingIsKept"
    })
    void aWrongEngineFailsByItsRuleOnAStoreWithSessions(WrongEngine engine, String caughtBy) {
        failsByItsRule(WrongEngineOnSessionsTck.class, engine, caughtBy);
    }

    private static void failsByItsRule(Class<? extends WrongEngineTck> suite, WrongEngine engine, String caughtBy) {
        Set<String> one = Set.of(caughtBy);
        WrongEngineTck.engine = WrongEngine.NONE;
        assertThat(SuiteRun.of(suite, one).passed()).isEqualTo(one);
        WrongEngineTck.engine = engine;
        assertThat(SuiteRun.of(suite, one).failures()).containsOnlyKeys(caughtBy);
    }
}
