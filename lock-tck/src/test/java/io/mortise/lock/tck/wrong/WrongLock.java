// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static io.mortise.lock.tck.wrong.WrongAtomicity.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.tck.SuiteRun;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A deliberately wrong lock, and the cases that must catch it.
 *
 * @param store makes it
 * @param caughtBy the cases that must fail, the one that names the mistake first
 * @param alone true if no other of the quick cases may fail; false if the mistake is one that breaks many of them
 */
record WrongLock(Supplier<TinyStore> store, List<String> caughtBy, boolean alone) {
    /** Cases that need no lease to end: all are run against every wrong lock, and only the expected ones may fail. */
    static final List<String> QUICK = List.of(
            "a1_secondClientIsRefusedWhileHeld",
            "a1_secondClaimOfTheSameClientIsRefused",
            "a5_aLockIsNotReentrant",
            "b1_theEmptyStringIsAName",
            "b3_pathsAreIndependent",
            "b4_longNamesDifferInTheLastCharacter",
            "c1_aPlainTryAnswersAtOnce",
            "c9_aPlainTryEntersNoQueue",
            "d5_anInterruptedThreadStillReleases",
            "e3_releasingAgainIsHarmless",
            "e8_aClosedBackendThrows",
            "g9_aRenewalWithALostReplyCanBeRepeated",
            "i1_tokensRiseFromGrantToGrant",
            "i1_tokensRiseAboveAWholeBlock",
            "i2_renewingAndRepeatingKeepTheToken",
            "i4_raisingLiftsLaterTokensAndNeverLowers",
            "i5_refusedTriesHaveNoToken",
            "i9_tokensFit",
            "j2_aRepeatedTryFindsItsOwnGrant",
            "j3_aReleaseWithALostReplyCanBeRepeated",
            "r1_inspectTellsTheHolder",
            "r3_revokingNowFreesAtOnce",
            "r4_revokingAFreeLockDoesNothing",
            "r5_listingIsPaged");

    private static final String[] PERMISSION = {
        "o9_aTryWithoutPermissionIsRefusedAtOnce",
        "o9_aHolderWithoutPermissionIsToldAtTheEndOfItsLease",
        "o9_aReleaseWithoutPermissionSaysSo"
    };

    /** Mistakes in letting go and in counting time. */
    static final List<WrongLock> LEASES = List.of(
            wrong(
                    WrongReleases.DeletesAnybodys::new,
                    "e1_staleReleaseDoesNotFreeTheNextHolder",
                    "e3_releasingAgainIsHarmless",
                    "h3_aPartitionedHolderGivesUpInTime",
                    "j3_aReleaseWithALostReplyCanBeRepeated",
                    "r3_revokingNowFreesAtOnce"),
            wrong(WrongReleases.TrustsItsOwnClock::new, "e1_releaseAtTheEndOfTheLeaseIsAtomic"),
            wrong(WrongReleases.TellsBeforeItDeletes::new, "k1_aReleaseNudgesAWaitingClaim"),
            wrong(
                    WrongReleases.AlwaysSaysYes::new,
                    "e4_releaseSaysWhetherItHeld",
                    "e3_releasingAgainIsHarmless",
                    "r3_revokingNowFreesAtOnce"),
            hopeless(WrongReleases.FreesNothing::new, "a1_secondClientIsRefusedWhileHeld"),
            wrong(WrongReleases.Lingers::new, "c1_aRefusedTryWaitsForNobody"),
            wrong(WrongReleases.IgnoresClosing::new, "e8_aClosedBackendThrows"),
            wrong(WrongReleases.LateTryHoldsForEver::new, "j5_aTryAfterItsReleaseHoldsAtMostALease"),
            wrong(WrongLeases.SetsTheEndLater::new, "f1_freeAfterTheLeaseAndNotBefore", "r1_inspectTellsTheHolder"),
            hopeless(WrongLeases.RoundsToSeconds::new, "f2_shortLeasesAreHonoured"),
            hopeless(WrongLeases.TrustsClientClocks::new, "a1_secondClientIsRefusedWhileHeld"),
            wrong(
                    () -> new WrongLeases.CountsFromAnEarlierExchange(0.6),
                    "f4_theHolderGivesUpBeforeTheStoreDoes",
                    "f1_freeAfterTheLeaseAndNotBefore",
                    "f2_shortLeasesAreHonoured",
                    "f4_aRepeatedTryExtendsToTheFullLease"),
            wrong(
                    WrongLeases.ClosingFreesAll::new,
                    "f9_lockDelayKeepsOthersOutAfterAHolderThatIsCutOff",
                    "f9_lockDelayKeepsOthersOutAfterAnUncleanEnd",
                    "f8_minHoldIsKeptAfterTheEndOfTheClient"),
            wrong(WrongLeases.EndlessIsFree::new, "f3_stateWithoutAnEndIsNeitherFreeNorOnesOwn"),
            wrong(WrongLeases.SessionsEndSilently::new, "h5_anEndedSessionIsALoss"),
            wrong(WrongLeases.ForgetsAtRestart::new, "o1_aRestartThatKeepsDataKeepsLocks"),
            wrong(WrongLeases.OverflowsAnInt::new, "f2_longLeasesAreHonoured"),
            wrong(WrongLeases.OneLeaseForAll::new, "f6_leasesOfOneNameDoNotMix"),
            wrong(WrongLeases.RepeatedTryKeepsTheOldEnd::new, "f4_aRepeatedTryExtendsToTheFullLease"),
            wrong(
                    WrongLeases.RenewsAnybody::new,
                    "e2_staleRenewalDoesNotExtendTheNextLease",
                    "r3_revokingNowFreesAtOnce"),
            wrong(WrongLeases.RenewsOnPaper::new, "g1_heldForFiveLeases"),
            wrong(
                    WrongLeases.RenewsToTheFirstLeaseAtMost::new,
                    "g13_aRenewalSetsALongerLease",
                    "g13_renewedTogetherEachGetsItsOwnLease"),
            wrong(
                    WrongLeases.NeverShortens::new,
                    "g13_aRenewalSetsAShorterLease",
                    "g13_renewedTogetherEachGetsItsOwnLease"),
            wrong(WrongLeases.OneLeaseForABatch::new, "g13_renewedTogetherEachGetsItsOwnLease"),
            wrong(
                    WrongLeases.OneMissedRenewalEndsAll::new,
                    "g2_someFailedRenewalsLoseNothing",
                    "h4_aPartitionThatHealsInTimeLosesNothing"),
            wrong(WrongLeases.Resurrects::new, "f7_anEndedLeaseCannotBeRenewed"),
            wrong(
                    WrongLeases.RecreatesWhatWasDeleted::new,
                    "g12_aLostLockIsNotResurrected",
                    "o2_aRestartThatLosesDataIsALoss"),
            hopeless(WrongLeases.WatchdogOutlivesTheRelease::new, "g4_nothingRenewsAfterARelease"),
            wrong(WrongLeases.RefusesAfterALostReply::new, "g9_aRenewalWithALostReplyCanBeRepeated"));

    /** Mistakes in asking and in waiting. */
    static final List<WrongLock> TRIES = List.of(
            wrong(WrongTries.DeletesTheStaleAndSets::new, "a1_oneOfManyTakesOverAnEndedLease"),
            wrong(WrongTries.WritesWithoutComparing::new, "a8_firstTriesAtOnceGetYesOrNo", "a3_noIncrementIsLost"),
            hopeless(WrongTries.OneOwnerPerProcess::new, "a1_secondClientIsRefusedWhileHeld"),
            wrong(WrongTries.OneOwnerPerClient::new, "a1_secondClaimOfTheSameClientIsRefused"),
            wrong(
                    WrongTries.TheLabelIsTheOwner::new,
                    "e1_staleReleaseDoesNotFreeTheNextHolder",
                    "a1_secondClaimOfTheSameClientIsRefused"),
            wrong(WrongTries.CutsOwners::new, "a1_eachDigitOfAnOwnerCounts"),
            wrong(WrongTries.HashesOwners::new, "a1_eachDigitOfAnOwnerCounts"),
            wrong(WrongTries.TellsAnEstimate::new, "k2_aRefusedTryTellsTheRestOfTheLease"),
            wrong(WrongTries.SilenceIsBusy::new, "c2_questionsToAHangingStoreAreGivenUp"),
            wrong(WrongTries.RefusalIsSilence::new, PERMISSION),
            wrong(WrongTries.RefusalIsBusy::new, PERMISSION),
            wrong(WrongTries.WaitsForEver::new, "c2_questionsToAHangingStoreAreGivenUp"),
            wrong(WrongTries.WaitersOccupyConnections::new, "k6_oneClientWaitsForHundredsOfLocks"),
            wrong(
                    WrongTries.DoesNotKnowItsOwn::new,
                    "j2_aRepeatedTryFindsItsOwnGrant",
                    "i2_renewingAndRepeatingKeepTheToken"),
            wrong(WrongTries.LostRacesThrow::new, "a8_firstTriesAtOnceGetYesOrNo"),
            wrong(
                    WrongTries.PlainTriesQueue::new,
                    "c9_aPlainTryEntersNoQueue",
                    "a1_secondClientIsRefusedWhileHeld",
                    "i5_refusedTriesHaveNoToken",
                    "j2_aRepeatedTryFindsItsOwnGrant"),
            wrong(WrongQueues.OnlySaysFair::new, "k8_waitersAreServedInOrder"),
            wrong(WrongQueues.NeverNudges::new, "k1_aReleaseNudgesAWaitingClaim"),
            wrong(
                    WrongQueues.WaitersLeaveTheirPlace::new,
                    "d2_anInterruptEndsTheWaitCleanly",
                    "c9_aWaiterThatGaveUpIsOutOfTheLine"),
            wrong(WrongQueues.TheDeadStayInLine::new, "k8_deadWaitersHoldUpOthersBriefly"),
            wrong(WrongQueues.EachDeadCostsTenSeconds::new, "k8_deadWaitersHoldUpOthersBriefly"),
            wrong(WrongQueues.WakesEverybody::new, "k5_aHandOverCostsTheSameHoweverManyWait"),
            wrong(WrongQueues.CutSubscriptionsStayCut::new, "k7_aWaiterWhoseConnectionsAreCutGoesOn"),
            wrong(
                    WrongQueues.SubscribesLater::new,
                    "k10_aSlowWaiterMissesNoRelease",
                    "k1_aReleaseAtAnyMomentWakesTheWaiter"));

    /** Mistakes in tokens, names and in telling about locks. */
    static final List<WrongLock> RECORDS = List.of(
            hopeless(WrongTokens.StartsAgain::new, "i1_tokensRiseFromGrantToGrant"),
            wrong(
                    WrongTokens.StartsAgainAfterDeletion::new,
                    "i4_tokensRiseAfterDeletion",
                    "o2_aRestartThatLosesDataIsALoss"),
            wrong(WrongTokens.RisesOnRenewal::new, "i2_renewingAndRepeatingKeepTheToken", "r1_inspectTellsTheHolder"),
            hopeless(WrongTokens.Random::new, "i1_tokensRiseFromGrantToGrant"),
            wrong(WrongTokens.TooBig::new, "i9_tokensFit"),
            wrong(WrongTokens.TellsTheGreatestHeld::new, "i10_theGreatestTokenIsNotBelowAny"),
            wrong(WrongTokens.TellsTheFirstOfABlock::new, "i10_theGreatestTokenIsNotBelowAny"),
            wrong(
                    WrongTokens.ForgetsTheBlock::new,
                    "i1_tokensRiseAboveAWholeBlock",
                    "d5_anInterruptedThreadStillReleases"),
            wrong(WrongTokens.ForgetsTheFloor::new, "i4_tokensRiseAboveTheFloor", "i1_tokensRiseAboveAWholeBlock"),
            wrong(WrongTokens.AnybodyRaises::new, "i4_onlyTheHolderRaises"),
            wrong(WrongTokens.RaisingLowers::new, "i4_raisingLiftsLaterTokensAndNeverLowers"),
            wrong(
                    WrongTokens.StaleClaimsReadTheNewest::new,
                    "i3_aStaleClaimKeepsItsToken",
                    "r3_revokingNowFreesAtOnce"),
            wrong(WrongTokens.RefusedTriesReadTheHolders::new, "i5_refusedTriesHaveNoToken"),
            wrong(WrongTokens.Undeclared::new, "v1_withoutFencingThereAreNoTokens"),
            wrong(WrongNames.IgnoresCase::new, "b2_namesThatLookAlikeAreDifferent"),
            wrong(WrongNames.IgnoresTrailingBlanks::new, "b2_namesThatLookAlikeAreDifferent"),
            wrong(WrongNames.Normalises::new, "b2_namesThatLookAlikeAreDifferent"),
            wrong(WrongNames.CutsLongNames::new, "b4_longNamesDifferInTheLastCharacter"),
            hopeless(WrongNames.HashesIntoBuckets::new, "a2_differentNamesAreIndependent"),
            wrong(WrongNames.LosesSurrogates::new, "b1_anyStringIsANameOfItsOwn"),
            wrong(WrongNames.ParentsAreHeldWithChildren::new, "b3_pathsAreIndependent"),
            wrong(WrongNames.PrefixIsAPattern::new, "r5_listingIsPaged"),
            wrong(WrongAdmin.RevokesAtOnce::new, "r3_revokingWaitsForTheLease"),
            wrong(WrongAdmin.RevokedHoldersRenew::new, "r3_revokingWaitsForTheLease"),
            wrong(WrongAdmin.RevokesWithoutAReason::new, "r3_revokingWaitsForTheLease"),
            wrong(WrongAdmin.FreesWhenTheRevokedAsks::new, "r6_aRevokedHolderHasTheRestOfItsLease"),
            wrong(
                    WrongAdmin.RevokedHoldForEver::new,
                    "r6_aRevokedHolderHasTheRestOfItsLease",
                    "r6_aClaimRevokedAtOnceDoesNotSayThatItHolds"),
            wrong(WrongAdmin.RevokedAtOnceHoldsOn::new, "r6_aClaimRevokedAtOnceDoesNotSayThatItHolds"),
            wrong(WrongAdmin.HeldSinceTheRenewal::new, "r1_heldForIsCountedFromTheGrant"),
            wrong(WrongAdmin.HeldSinceTheFirstTry::new, "r1_heldForIsCountedFromTheGrant"),
            wrong(WrongAdmin.TellsTheFirstLease::new, "r1_theRestIsThatOfTheRenewedLease"),
            wrong(WrongAdmin.RevokesTheNextHolder::new, "r4_revokingAFreeLockDoesNothing"),
            wrong(WrongAdmin.LookingExtends::new, "r2_lookingChangesNothing"),
            wrong(WrongAdmin.SeesNobody::new, "r1_inspectTellsTheHolder"),
            wrong(WrongAdmin.ShowsTheOwner::new, "r1_inspectTellsTheHolder"),
            wrong(WrongAdmin.ForgetsThePage::new, "r5_listingIsPaged"),
            wrong(WrongAdmin.PretendsToList::new, "v1_withoutListingItIsRefused"),
            wrong(WrongAdmin.PretendsToRevoke::new, "v1_withoutRevokingItIsRefused"));

    /** Mistakes in keeping a register. */
    static final List<WrongLock> REGISTERS = List.of(
            wrong(WrongRegisters.WritesAfterComparing::new, "w2_ofManyWritersOneWrites"),
            wrong(WrongRegisters.WritesBlindly::new, "w2_onlyWhatIsKnownIsReplaced", "w4_anEntryHasNoEnd"),
            wrong(WrongRegisters.MakesWhatIsThere::new, "w2_onlyWhatIsKnownIsReplaced", "w4_anEntryHasNoEnd"),
            wrong(WrongRegisters.MakesWhatIsMissing::new, "w2_onlyWhatIsKnownIsReplaced"),
            wrong(WrongRegisters.ComparesTexts::new, "w2_onlyWhatIsKnownIsReplaced"),
            wrong(
                    WrongRegisters.AlwaysSaysWritten::new,
                    "w2_onlyWhatIsKnownIsReplaced",
                    "w2_ofManyWritersOneWrites",
                    "w4_anEntryHasNoEnd"),
            wrong(WrongRegisters.ReadsFromMemory::new, "w3_nobodyReadsWhatIsOver"),
            wrong(WrongRegisters.CutsNames::new, "w1_anEntryIsReadAsItWasWritten"),
            wrong(WrongRegisters.LowersTexts::new, "w1_anEntryIsReadAsItWasWritten"),
            wrong(WrongRegisters.ForgetsWithTheWriter::new, "w4_anEntryHasNoEnd"),
            wrong(WrongRegisters.EntriesEnd::new, "w4_anEntryHasNoEnd"),
            wrong(WrongRegisters.GoesBack::new, "w4_aRestartKeepsTheRegister"),
            wrong(WrongRegisters.SilenceIsNo::new, "w5_silenceIsNoAnswer"),
            wrong(WrongRegisters.LateWritesAreBlind::new, "w5_silenceIsNoAnswer"),
            wrong(WrongRegisters.PretendsToKeepARegister::new, "v1_withoutARegisterItIsRefused"));

    /** Comparing and acting in two steps, and wrong lengths and ends of leases. {@link GapsAreMetTest} has the odds of the former. */
    static final List<WrongLock> STEPS = List.of(
            wrong(
                    () -> new WrongAtomicity.ReleaseComparesThenDeletes(SHORT),
                    "e1_aReleaseRacesWithTheEndOfItsLease",
                    "e1_aReleaseRacesWithARevocation"),
            wrong(
                    () -> new WrongAtomicity.ReleaseTellsWhatTheDeleteFound(SHORT),
                    "e1_aReleaseRacesWithTheEndOfItsLease"),
            wrong(
                    () -> new WrongAtomicity.RenewalComparesThenExtends(SHORT),
                    "e2_aRenewalRacesWithTheEndOfItsLease",
                    "e2_aRenewalRacesWithARevocation"),
            wrong(
                    () -> new WrongAtomicity.RenewalWritesBack(SHORT),
                    "e2_aRenewalRacesWithTheEndOfItsLease",
                    "e2_renewalsTogetherRaceWithTheEndsOfTheirLeases",
                    "e2_aRenewalRacesWithARevocation"),
            wrong(() -> new WrongAtomicity.RenewalLooksAtTheEndFirst(SHORT), "e2_aRenewalRacesWithTheEndOfItsLease"),
            wrong(
                    () -> new WrongAtomicity.RepeatedTryComparesThenExtends(SHORT),
                    "e2_aRepeatedTryRacesWithTheEndOfItsLease"),
            wrong(() -> new WrongAtomicity.TryComparesThenWrites(SHORT), "a1_triesRaceForAnEndedLease"),
            wrong(() -> new WrongAtomicity.RaisingComparesThenSets(SHORT), "i4_raisingRacesWithTheEndOfTheLease"),
            wrong(() -> new WrongAtomicity.RaisingLowersWhatHasRisen(SHORT), "i4_raisingRacesWithTheEndOfTheLease"),
            wrong(() -> new WrongAtomicity.RevocationLooksThenFrees(SHORT), "e1_aReleaseRacesWithARevocation"),
            wrong(() -> new WrongLengths.OfEveryLease(WrongLengths::roundedDown), "f2_oddLeasesAreHonoured"),
            wrong(() -> new WrongLengths.OfEveryLease(WrongLengths::rounded), "f2_oddLeasesAreHonoured"),
            wrong(() -> new WrongLengths.OfRenewals(WrongLengths::roundedDown), "f2_oddLeasesAreHonoured"),
            wrong(() -> new WrongLengths.OfRenewals(nanos -> nanos * 9 / 10), "f2_oddLeasesAreHonoured"),
            wrong(() -> new WrongLengths.OfBatches(WrongLengths::rounded), "f2_oddLeasesAreHonoured"),
            cutOrWrapped(() -> new WrongLengths.OfEveryLease(WrongLengths.cappedAt(Duration.ofMinutes(1)))),
            cutOrWrapped(() -> new WrongLengths.OfEveryLease(WrongLengths.cappedAt(Duration.ofHours(1)))),
            cutOrWrapped(() -> new WrongLengths.OfEveryLease(WrongLengths.cappedAt(Duration.ofDays(30)))),
            cutOrWrapped(() -> new WrongLengths.OfEveryLease(WrongLengths::wrappedMillis)),
            cutOrWrapped(() -> new WrongLengths.OfEveryLease(WrongLengths::wrappedMicros)),
            cutOrWrapped(() -> new WrongLengths.OfRenewals(WrongLengths.cappedAt(Duration.ofSeconds(30)))),
            cutOrWrapped(() -> new WrongLengths.OfRenewals(WrongLengths.cappedAt(Duration.ofDays(30)))),
            cutOrWrapped(() -> new WrongLengths.OfRenewals(WrongLengths::wrappedMillis)),
            cutOrWrapped(() -> new WrongLengths.OfRenewals(WrongLengths::overflowingMillis)),
            cutOrWrapped(() -> new WrongLengths.OfBatches(WrongLengths::wrappedMillis)),
            wrong(WrongLengths.RenewalAdds::new, "f2_oddLeasesAreHonoured"),
            wrong(WrongLengths.RenewsWhatIsAboutToEnd::new, "f4_everyYesBeginsTheLeaseAnew"),
            wrong(WrongLengths.RepeatedTryFromMemory::new, "f4_everyYesBeginsTheLeaseAnew"),
            wrong(WrongEnds.ReleaseIgnoresTheEnd::new, "e4_aReleaseAfterTheEndSaysNo"),
            wrong(WrongEnds.RevokedCannotRelease::new, "e4_aRevokedHolderReleases"),
            wrong(WrongEnds.BatchResurrects::new, "f7_anEndedLeaseCannotBeRenewedTogether"),
            wrong(WrongEnds.EndedHoldOn::new, "f7_anEndedLeaseCannotBeRenewedTogether"),
            wrong(WrongEnds.TryGoesOnWithAnEndedGrant::new, "f7_anEndedClaimThatAsksAgainIsANewHolder"),
            wrong(WrongEnds.RenewalBringsBackTheReleased::new, "g5_aReleasedClaimIsNotRenewed"),
            wrong(WrongEnds.EndedRaise::new, "i4_aClaimThatHasLostDoesNotRaise"),
            wrong(WrongEnds.RevokedRaise::new, "i4_aClaimThatHasLostDoesNotRaise"),
            wrong(WrongEnds.RevokesTheEnded::new, "r4_revokingAnEndedLeaseDoesNothing"),
            wrong(WrongEnds.RevokesTwice::new, "r4_revokingAnEndedLeaseDoesNothing"));

    /** Mistakes in renewing claims together. */
    static final List<WrongLock> BATCHES = List.of(
            wrong(WrongBatches.Rotates::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.Reverses::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.OrdersByName::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(
                    WrongBatches.OneLossFailsAll::new,
                    "g15_eachOfABatchGetsItsOwnAnswer",
                    "g15_holdersLearnTheirOwnFates"),
            wrong(WrongBatches.CountsRows::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.TheFirstSpeaksForAll::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(() -> new WrongBatches.SendsNoMoreThan(100, Answer.NO), "g15_batchesOfAnySizeAreAnsweredOneByOne"),
            wrong(
                    () -> new WrongBatches.SendsNoMoreThan(256, Answer.UNKNOWN),
                    "g15_batchesOfAnySizeAreAnsweredOneByOne"),
            wrong(() -> new WrongBatches.SendsNoMoreThan(1000, Answer.YES), "g15_batchesOfAnySizeAreAnsweredOneByOne"),
            wrong(() -> new WrongBatches.ReadsTheFirstReplyAgain(100), "g15_batchesOfAnySizeAreAnsweredOneByOne"),
            wrong(() -> new WrongBatches.ReadsTheFirstReplyAgain(1000), "g15_batchesOfAnySizeAreAnsweredOneByOne"),
            wrong(WrongBatches.SkipsTheLastOfEachRequest::new, "g15_batchesOfAnySizeAreAnsweredOneByOne"),
            wrong(WrongBatches.LaterRequestsHaveTheFirstLeases::new, "g15_batchesOfAnySizeAreAnsweredOneByOne"),
            wrong(
                    WrongBatches.TheLongestLeaseForAll::new,
                    "g15_batchesOfAnySizeAreAnsweredOneByOne",
                    "g13_renewedTogetherEachGetsItsOwnLease"),
            wrong(WrongBatches.OneAnswerForAName::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.NoneIsAnError::new, "g15_batchesOfAnySizeAreAnsweredOneByOne"),
            wrong(WrongBatches.LeavesOutTheLost::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.FillsTheLastRequest::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.SilenceIsNo::new, "g15_aBatchWithoutAnAnswerSaysSo"),
            wrong(WrongBatches.SilenceIsYes::new, "g15_aBatchWithoutAnAnswerSaysSo"),
            wrong(WrongBatches.AsksAgainForAsLong::new, "g15_aBatchWithoutAnAnswerSaysSo"),
            wrong(WrongBatches.EndsAtTheFirstNo::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.OneStrangeLockFailsAll::new, "g15_oneBrokenLockHidesNoAnswers"),
            wrong(WrongBatches.OneStrangeLockHidesTheRest::new, "g15_oneBrokenLockHidesNoAnswers"),
            wrong(WrongBatches.OnlyLooks::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.TakesWhatIsFree::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.RenewsWhoeverHolds::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.ResurrectsTogether::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.RevokedAreRenewedTogether::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.OneReasonForAll::new, "g15_eachOfABatchGetsItsOwnAnswer"),
            wrong(WrongBatches.AllHoldUntilTheirLeasesEnd::new, "g15_eachOfABatchGetsItsOwnAnswer"));

    /** Mistakes in making keys of names. */
    static final List<WrongLock> KEYS = List.of(
            wrong(WrongKeys.StringHash::new, "b1_equalHashesAreDifferentNames"),
            wrong(WrongKeys.Crc32::new, "b1_equalHashesAreDifferentNames"),
            wrong(WrongKeys.Adler::new, "b1_equalHashesAreDifferentNames"),
            wrong(WrongKeys.Fnv::new, "b1_equalHashesAreDifferentNames"),
            wrong(() -> new WrongKeys.ShortDigest("MD5"), "b1_equalHashesAreDifferentNames"),
            wrong(() -> new WrongKeys.ShortDigest("SHA-256"), "b1_equalHashesAreDifferentNames"),
            wrong(WrongKeys.LongNamesEndInAChecksum::new, "b1_equalHashesAreDifferentNames"),
            wrong(WrongKeys.CutsTheMiddle::new, "b4_longNamesDifferAnywhere"),
            wrong(WrongKeys.CutsTheBeginning::new, "b4_longNamesDifferAnywhere"),
            wrong(
                    () -> new WrongKeys.CutsAndKeepsTheLength(63),
                    "b4_longNamesDifferAnywhere",
                    "b4_longNamesDifferInTheLastCharacter"),
            wrong(
                    () -> new WrongKeys.CutsAndKeepsTheLength(255),
                    "b4_longNamesDifferAnywhere",
                    "b4_longNamesDifferInTheLastCharacter"),
            wrong(
                    () -> new WrongKeys.CutsAndKeepsTheLength(4096),
                    "b4_longNamesDifferAnywhere",
                    "b4_longNamesDifferInTheLastCharacter"),
            wrong(WrongKeys.Trims::new, "b1_eachCharacterCounts"),
            wrong(WrongKeys.TakesWhatIsInBraces::new, "b1_anyStringIsANameOfItsOwn"),
            wrong(WrongKeys.LowHalfOfPairs::new, "b2_namesThatLookAlikeAreDifferent"),
            wrong(WrongKeys.IgnoresWhatHasNoWidth::new, "b2_namesThatLookAlikeAreDifferent"),
            wrong(WrongKeys.IsRelative::new, "b1_eachCharacterCounts"),
            wrong(WrongKeys.DropsEscapes::new, "b1_eachCharacterCounts"),
            wrong(WrongKeys.SeparatesByColons::new, "b1_eachCharacterCounts", "b2_encodingsOfEachOtherAreDifferent"),
            wrong(WrongKeys.LowByteOfExtendedLatin::new, "b1_eachCharacterCounts"),
            wrong(WrongKeys.NulInTwoBytes::new, "b1_eachCharacterCounts"),
            wrong(WrongKeys.EscapesOnlySlashes::new, "b2_encodingsOfEachOtherAreDifferent"),
            wrong(WrongKeys.EscapesOnlyLineBreaks::new, "b2_encodingsOfEachOtherAreDifferent"),
            wrong(WrongKeys.ChangesLineBreaks::new, "b2_encodingsOfEachOtherAreDifferent"),
            wrong(WrongKeys.ResolvesDots::new, "b2_encodingsOfEachOtherAreDifferent"),
            wrong(WrongKeys.ComparesNumbers::new, "b2_encodingsOfEachOtherAreDifferent"),
            wrong(WrongKeys.Unquotes::new, "b2_encodingsOfEachOtherAreDifferent"),
            wrong(WrongKeys.FreesByHash::new, "b1_equalHashesAreDifferentNames"),
            wrong(WrongKeys.LooksAtTheBeginning::new, "b4_longNamesDifferAnywhere"));

    /** Mistakes in telling of holders and in taking locks away. */
    static final List<WrongLock> REPORTS = List.of(
            wrong(
                    () -> new WrongRevocations.ChangesTheReason(
                            reason -> reason.substring(0, Math.min(255, reason.length()))),
                    "r3_reasonsComeBackAsGiven"),
            wrong(() -> new WrongRevocations.ChangesTheReason(String::strip), "r3_reasonsComeBackAsGiven"),
            wrong(
                    () -> new WrongRevocations.ChangesTheReason(reason -> reason.replace("\r\n", "\n")),
                    "r3_reasonsComeBackAsGiven"),
            wrong(
                    () -> new WrongRevocations.ChangesTheReason(reason -> reason.replaceAll("[^\\x20-\\x7e]", "?")),
                    "r3_reasonsComeBackAsGiven"),
            wrong(
                    () -> new WrongRevocations.ChangesTheReason(reason -> reason.isEmpty() ? "no reason" : reason),
                    "r3_reasonsComeBackAsGiven"),
            wrong(WrongNames.TrimsLabels::new, "b5_namesAndLabelsComeBackAsGiven"),
            wrong(WrongRevocations.AnEmptyReasonIsNone::new, "r3_reasonsComeBackAsGiven"),
            wrong(WrongRevocations.TheMarkStaysWithTheName::new, "r3_theNextHolderInheritsNothing"),
            wrong(WrongRevocations.TheMarkOutlivesTheLease::new, "r3_theNextHolderInheritsNothing"),
            wrong(WrongRevocations.TheNoteOutlivesTheHolder::new, "r3_theNextHolderInheritsNothing"),
            wrong(WrongRevocations.ARepeatedTryUndoesIt::new, "r3_aRevocationStays"),
            wrong(WrongRevocations.IsToldOnce::new, "r3_aRevocationStays"),
            wrong(WrongRevocations.ARefusedRenewalForgetsTheReason::new, "r3_aRevocationStays"),
            wrong(WrongRevocations.ABatchRenewsTheRevoked::new, "r3_aRevocationStays"),
            wrong(WrongRevocations.TheNameIsAPattern::new, "r4_revokingTakesOneLock"),
            wrong(WrongRevocations.TakesWhatBeginsAlike::new, "r4_revokingTakesOneLock"),
            wrong(WrongRevocations.TakesAllOfTheClient::new, "r4_revokingTakesOneLock"),
            wrong(WrongRevocations.OneReasonForAllLocks::new, "r4_revokingTakesOneLock"),
            wrong(WrongRevocations.OnceIsEnough::new, "r3_aSecondRevocationCounts"),
            wrong(WrongRevocations.RevokedIsNotHeld::new, "r3_aSecondRevocationCounts"),
            wrong(WrongRevocations.Toggles::new, "r3_aSecondRevocationCounts"),
            wrong(WrongRevocations.GivesTimeToCleanUp::new, "r6_aRevokedHolderHasTheRestOfItsLease"),
            wrong(WrongRevocations.ReleasesTellNoReason::new, "r3_aRefusedReleaseTellsOfTheRevocation"),
            wrong(WrongRevocations.HeldSinceTheRevocation::new, "r1_heldForIsOfThisGrant"),
            wrong(WrongRevocations.ForgottenAtARestart::new, "o1_aRestartThatKeepsDataKeepsLocks"),
            wrong(WrongRevocations.BansTheName::new, "r3_theNextHolderInheritsNothing"),
            wrong(WrongListings.HeldSinceTheFirstHolder::new, "r1_heldForIsOfThisGrant"),
            wrong(WrongListings.HeldSinceTheRepeatedTry::new, "r1_heldForIsOfThisGrant"),
            wrong(WrongListings.TellsAnotherRest::new, "r1_theRestOfTheLeaseIsRight"),
            wrong(WrongListings.TheRestNeverSinks::new, "r1_theRestOfTheLeaseIsRight"),
            wrong(WrongListings.TheRestOfTheFirstLease::new, "r1_theRestOfTheLeaseIsRight"),
            wrong(WrongListings.TheRestOfAnotherLock::new, "r1_theRestOfTheLeaseIsRight"),
            wrong(WrongListings.CountsTheHolder::new, "r1_thoseWhoWaitAreCounted"),
            wrong(WrongListings.CountsTheWaitersOfAllLocks::new, "r1_thoseWhoWaitAreCounted"),
            wrong(WrongListings.TellsThatNobodyWaits::new, "r1_thoseWhoWaitAreCounted"),
            wrong(WrongListings.CountsTries::new, "r1_thoseWhoWaitAreCounted"),
            wrong(WrongListings.LooksForTheLastName::new, "r5_aListGoesOnBehindWhatIsGone"),
            wrong(WrongListings.EndsWhereTheLastNameIsGone::new, "r5_aListGoesOnBehindWhatIsGone"),
            wrong(WrongListings.CountsPlaces::new, "r5_aListGoesOnBehindWhatIsGone"),
            wrong(WrongListings.LeavesOutAfterwards::new, "r5_allPagesMakeOneList"),
            wrong(WrongListings.ShowsTheEnded::new, "r5_allPagesMakeOneList"),
            wrong(WrongListings.HashesEachPage::new, "r5_allPagesMakeOneList"),
            wrong(WrongListings.BeginsWithTheLastName::new, "r5_allPagesMakeOneList", "r5_listingIsPaged"),
            wrong(WrongListings.TenAreEnough::new, "r5_allPagesMakeOneList"),
            wrong(WrongListings.LeavesOutThePrefixItself::new, "r5_allPagesMakeOneList"),
            wrong(WrongListings.NoPrefixNoList::new, "r5_allPagesMakeOneList"),
            wrong(WrongListings.PrefixIsAShellPattern::new, "r5_listingIsPaged"),
            wrong(WrongListings.PrefixIsAnywhere::new, "r5_listingIsPaged"),
            wrong(WrongListings.HasTwoOrders::new, "r5_allPagesMakeOneList"),
            wrong(WrongListings.ListsFromAnIndex::new, "r5_aListTellsWhatInspectingTells"),
            wrong(WrongListings.TellsTheCounter::new, "r1_inspectTellsTheHolder"),
            wrong(WrongQueues.NudgesTheFirstOfTheClient::new, "k1_aReleaseNudgesAWaitingClaim"),
            wrong(WrongListings.StopsAtWhatIsGone::new, "r5_aListOfWhatChangesIsWhole"),
            wrong(WrongListings.MixesUpTheHolders::new, "r5_allPagesMakeOneList"));

    /** Mistakes in remembering tokens. */
    static final List<WrongLock> COUNTERS = List.of(
            wrong(WrongCounters.BlocksCountAtTheRelease::new, "i1_tokensRiseHoweverAHoldEnds"),
            wrong(WrongCounters.RaisesCountAtTheRelease::new, "i1_tokensRiseHoweverAHoldEnds"),
            wrong(WrongCounters.ARevocationEndsTheBlock::new, "i1_tokensRiseHoweverAHoldEnds"),
            wrong(WrongCounters.ARepeatedTrySetsTheCounter::new, "i1_aRepeatedTryKeepsTheWholeBlock"),
            wrong(WrongCounters.ARepeatedTryReadsTheCounter::new, "i2_aRepeatedTryKeepsItsToken"),
            wrong(
                    WrongCounters.RaisingChangesTheHolders::new,
                    "i2_aRepeatedTryKeepsItsToken",
                    "r1_inspectTellsTheHolder"),
            wrong(WrongCounters.RefusedFloorsReachTheHolder::new, "i2_aRepeatedTryKeepsItsToken"),
            wrong(WrongCounters.TheFirstTokenStays::new, "i1_aSecondGrantOfAClaimHasATokenOfItsOwn"),
            wrong(WrongCounters.WaitersHaveTheirTokens::new, "i1_aWaiterThatWasOvertakenHasAHigherToken"),
            wrong(WrongCounters.RemembersAFew::new, "i1_tokensOfManyLocksRise"),
            wrong(WrongCounters.TheLineCountsOn::new, "i4_raisingLiftsTheTokensOfThoseWhoWait"),
            wrong(WrongCounters.RaisesWhatIsFree::new, "i4_raisingAfterARevocation"),
            wrong(WrongCounters.RaisesAndSaysNo::new, "i4_raisingAfterARevocation"),
            wrong(WrongCounters.RevokedRaiseOnPaper::new, "i4_raisingAfterARevocation"),
            wrong(WrongCounters.StartsAgainAboveTheFloors::new, "i9_theHighestTokensRiseAndFit"),
            wrong(WrongCounters.RoundsHighTokens::new, "i9_theHighestTokensRiseAndFit"),
            wrong(WrongCounters.LeavesRoomForBlocks::new, "i9_theHighestTokensRiseAndFit"));

    /** Mistakes of drivers, in front of a store that is right. */
    static final List<WrongLock> DRIVERS = List.of(
            wrong(
                    WrongDrivers.OneQuestionAtATime::new,
                    "c2_eachOfManyBlockedCallsHasItsOwnTime",
                    "e5_releasesAtAHangingStoreWedgeNobody"),
            wrong(
                    WrongDrivers.OneQuestionAtATimeForAll::new,
                    "e9_aClientThatIsCutOffHoldsUpNoOther",
                    "c2_eachOfManyBlockedCallsHasItsOwnTime"),
            hopeless(WrongDrivers.LeaksConnections::new, "a7_manyRoundsWorkLikeTheFirst"),
            wrong(WrongDrivers.WaitsTwiceAsLong::new, "c2_eachOfManyBlockedCallsHasItsOwnTime"),
            wrong(
                    WrongDrivers.SwallowsInterrupts::new,
                    "d4_noCallSwallowsAnInterrupt",
                    "d2_anInterruptEndsAWaitAtAHangingStore"),
            wrong(WrongDrivers.AnInterruptIsNo::new, "d4_noCallSwallowsAnInterrupt"),
            wrong(WrongDrivers.SilenceIsNothing::new, "c7_silenceIsNoAnswerForOperators"),
            wrong(WrongDrivers.EntersAgainAfterAnUnclearRelease::new, "e6_afterAnUnclearReleaseALockIsANewOne"),
            wrong(WrongDrivers.SilentReleasesAreDone::new, "e6_afterAnUnclearReleaseALockIsANewOne"),
            wrong(WrongDrivers.SilentRenewalsHaveFailed::new, "g9_aRenewalThatWasAnsweredTooLateIsRepeated"),
            wrong(WrongDrivers.AHiccupIsALoss::new, "g2_aShortPauseOfTheStoreLosesNoLease"),
            wrong(WrongDrivers.ForgetsWhatItGaveUp::new, "j2_aGrantThatWasAnsweredTooLateIsFound"),
            wrong(WrongDrivers.ReadsTheAnswerBefore::new, "j5_aLateAnswerIsNoAnswerToAnotherCall"),
            wrong(WrongDrivers.LeavesAThread::new, "e8_closedClientsLeaveNoThreads"),
            wrong(WrongDrivers.TriesForATenth::new, "c1_aRefusedTryWaitsForNobody"),
            wrong(WrongPlaces.AskingAgainIsComingAgain::new, "k8_askingAgainKeepsThePlace"),
            wrong(WrongPlaces.RenewingForgetsTheLine::new, "k8_askingAgainKeepsThePlace"),
            wrong(WrongPlaces.OnePlaceForAClient::new, "k8_eachClaimHasAPlaceOfItsOwn"),
            wrong(WrongPlaces.AFullLineThrows::new, "k8_aLineHasRoomForAll"),
            wrong(WrongPlaces.AFullLineForgets::new, "k8_aLineHasRoomForAll"),
            wrong(WrongPlaces.PlacesEndWithALease::new, "k8_aPlaceOutlastsLeases"),
            wrong(WrongPlaces.ADeadFirstCostsALease::new, "k8_deadWaitersHoldUpOthersBriefly"));

    /** All wrong locks. */
    static final List<WrongLock> ALL = Stream.of(
                    LEASES, TRIES, RECORDS, REGISTERS, STEPS, BATCHES, KEYS, REPORTS, COUNTERS, DRIVERS)
            .flatMap(List::stream)
            .toList();

    /** It must fail, by the rules that name its mistake, with messages that explain it. */
    void mustBeCaught() {
        Set<String> cases = new LinkedHashSet<>(caughtBy);
        cases.addAll(QUICK);
        SuiteRun run = WrongLockTck.run(store.get(), WrongLockTck.LEASE, cases);

        caughtBy.forEach(run::caughtBy);
        if (alone) {
            assertThat(run.failures()).containsOnlyKeys(caughtBy);
        }
    }

    @Override
    public String toString() {
        return store.get().getClass().getSimpleName();
    }

    private static WrongLock wrong(Supplier<TinyStore> store, String... caughtBy) {
        return new WrongLock(store, List.of(caughtBy), true);
    }

    private static WrongLock cutOrWrapped(Supplier<TinyStore> store) {
        return wrong(store, "f2_longLeasesAreNeitherCutNorWrapped");
    }

    private static WrongLock hopeless(Supplier<TinyStore> store, String... caughtBy) {
        return new WrongLock(store, List.of(caughtBy), false);
    }
}
