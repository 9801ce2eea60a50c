// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.SuiteRun;
import io.mortise.lock.tck.servers.RedisErrorException;
import io.mortise.lock.tck.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Puts each mutant of the scripts to the suite, until a case fails. Runs only if the property {@code mortise.mutants} names the files, such as
 * {@code release,renew}, or {@code all}. What no case tells must be explained in {@code script-mutants.txt}.
 */
@EnabledIfSystemProperty(
        named = "mortise.mutants",
        matches = ".+",
        disabledReason = "takes an hour; ./verify --mutants runs it")
class ScriptMutantsTest {
    private static final List<String> FILES =
            List.of("raise", "revoke", "inspect", "holder", "release", "renew", "calls", "acquire", "common");

    private static RedisServer server;

    /** The suite with leases that are short, since most of what is told is told at once. */
    static final class Suite extends WrongLockTck {
        @Override
        public Duration lease() {
            return Duration.ofMillis(400);
        }
    }

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        WrongLockTck.server = server;
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void eachMutantIsCaughtOrExplained() throws IOException {
        String wanted = System.getProperty("mortise.mutants", "");
        Map<String, String> explained = explained();
        List<String> cases = cases();
        assertThat(run(EditedScripts::openUnedited, cases)).as("what is right").isEmpty();
        List<String> missed = new ArrayList<>();
        StringBuilder report = new StringBuilder();
        for (String file : FILES) {
            if (!wanted.equals("all") && !List.of(wanted.split(",")).contains(file)) {
                continue;
            }
            int caught = 0;
            int explainedHere = 0;
            Map<String, Integer> by = new TreeMap<>();
            List<ScriptMutant> mutants = ScriptMutant.of(file + ".lua", text(file)).stream()
                    .filter(ScriptMutantsTest::isScript)
                    .toList();
            for (ScriptMutant mutant : mutants) {
                Optional<String> killer = explained.containsKey(mutant.key())
                        ? Optional.empty()
                        : run(url -> EditedScripts.open(url, mutant.edit()), cases);
                if (killer.isPresent()) {
                    caught++;
                    by.merge(rule(killer.get()), 1, Integer::sum);
                } else if (explained.containsKey(mutant.key())) {
                    explainedHere++;
                } else {
                    missed.add(mutant.key());
                }
                log(killer.map(name -> "caught by " + name).orElse("not caught") + "  " + mutant.key());
            }
            String rules = by.entrySet().stream()
                    .map(entry -> entry.getKey() + " " + entry.getValue())
                    .collect(Collectors.joining(", "));
            report.append("| `")
                    .append(file)
                    .append(".lua` | ")
                    .append(mutants.size())
                    .append(" | ")
                    .append(caught)
                    .append(" | ")
                    .append(explainedHere)
                    .append(" | ")
                    .append(rules)
                    .append(" |\n");
        }
        log(report.toString());

        assertThat(missed)
                .as("what no case tells and nothing explains; caught are\n%s", report)
                .isEmpty();
    }

    /** Whether the server takes the scripts with it; what it does not take would be told by anything. */
    private static boolean isScript(ScriptMutant mutant) {
        try {
            EditedScripts.texts(mutant.edit()).forEach(text -> server.command("SCRIPT", "LOAD", text));
            return true;
        } catch (RedisErrorException refused) {
            return false;
        }
    }

    /** The first case that fails. */
    private static Optional<String> run(Function<String, LockBackend> lock, List<String> cases) {
        server.flush();
        WrongLockTck.lock = lock;
        for (String name : cases) {
            SuiteRun run = SuiteRun.of(Suite.class, List.of(name));
            if (!run.failures().isEmpty()) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    /** Those that say something of a script, the quickest first. */
    private static List<String> cases() {
        return Stream.of(CASES.split("\\s+")).filter(name -> !name.isEmpty()).toList();
    }

    private static String text(String file) throws IOException {
        try (InputStream in = Script.class.getResourceAsStream(file + ".lua")) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, String> explained() throws IOException {
        Map<String, String> explained = new TreeMap<>();
        Path list = Path.of("src", "test", "resources", "io", "mortise", "lock", "redis", "script-mutants.txt");
        if (Files.exists(list)) {
            for (String line : Files.readAllLines(list)) {
                int because = line.indexOf(" because ");
                if (because > 0) {
                    explained.put(line.substring(0, because), line.substring(because + 9));
                }
            }
        }
        return explained;
    }

    private static String rule(String name) {
        return name.substring(0, name.indexOf('_')).toUpperCase(Locale.ROOT);
    }

    private static void log(String line) throws IOException {
        Files.writeString(
                Path.of("target", "script-mutants.log"),
                line + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private static final String CASES = """
            a1_secondClaimOfTheSameClientIsRefused
            a1_secondClientIsRefusedWhileHeld
            a1_eachDigitOfAnOwnerCounts
            a8_firstTriesAtOnceGetYesOrNo
            c9_aGrantThatNobodyWantsIsPassedOn
            c9_aPlainTryEntersNoQueue
            c9_aTimedOutWaiterIsGone
            c9_aWaiterThatGaveUpIsOutOfTheLine
            c9_everyReleaseKnowsTheLineAsItIs
            e3_releasingAgainIsHarmless
            e4_releaseSaysWhetherItHeld
            f4_aRepeatedTryExtendsToTheFullLease
            i1_tokensRiseAboveAWholeBlock
            i1_tokensRiseFromGrantToGrant
            i2_aRepeatedTryKeepsItsToken
            i2_renewingAndRepeatingKeepTheToken
            i4_aClaimThatHasLostDoesNotRaise
            i4_onlyTheHolderRaises
            i4_raisingAfterARevocation
            i4_raisingLiftsLaterTokensAndNeverLowers
            i4_raisingLiftsTheTokensOfThoseWhoWait
            i4_tokensRiseAboveTheFloor
            i4_tokensRiseAfterDeletion
            i9_theHighestTokensRiseAndFit
            i9_tokensFit
            j2_aRepeatedTryFindsItsOwnGrant
            j3_aReleaseWithALostReplyCanBeRepeated
            k1_aReleaseNudgesAWaitingClaim
            k8_askingAgainKeepsThePlace
            k8_eachClaimHasAPlaceOfItsOwn
            k8_waitersAreServedInOrder
            r1_inspectTellsTheHolder
            r3_aRevocationStays
            r3_aSecondRevocationCounts
            r3_reasonsComeBackAsGiven
            r3_aRefusedReleaseTellsOfTheRevocation
            r3_revokingNowFreesAtOnce
            r3_revokingWaitsForTheLease
            r3_theNextHolderInheritsNothing
            r4_revokingAFreeLockDoesNothing
            r4_revokingAnEndedLeaseDoesNothing
            r4_revokingTakesOneLock
            r5_aListTellsWhatInspectingTells
            k2_aRefusedTryTellsTheRestOfTheLease
            i1_aWaiterThatWasOvertakenHasAHigherToken
            e1_staleReleaseDoesNotFreeTheNextHolder
            e1_staleReleaseDoesNotFreeTheNextHolderOfTheSameClient
            e2_staleRenewalDoesNotExtendTheNextLease
            e4_aReleaseAfterTheEndSaysNo
            e4_aRevokedHolderReleases
            f1_aTryThatIsCutOffHoldsAtMostALease
            f1_freeAfterTheLeaseAndNotBefore
            f3_aForeignTypeStays
            f3_aForeignValueStays
            f3_aLockWithoutAnEndIsAnError
            f3_everyKeyHasAnEnd
            f4_aGrantByAReleaseLastsAFullLease
            f4_everyYesBeginsTheLeaseAnew
            f7_anEndedClaimThatAsksAgainIsANewHolder
            f7_anEndedLeaseCannotBeRenewed
            f7_anEndedLeaseCannotBeRenewedTogether
            g12_aLostLockIsNotResurrected
            g13_aRenewalSetsALongerLease
            g13_aRenewalSetsAShorterLease
            g13_renewedTogetherEachGetsItsOwnLease
            g15_eachOfABatchGetsItsOwnAnswer
            g5_aReleasedClaimIsNotRenewed
            g5_anOldClaimDoesNotRenewANewOne
            h2_aRevokedLockIsReported
            h2_aTakenOverLockIsReported
            i1_aRepeatedTryKeepsTheWholeBlock
            i1_aSecondGrantOfAClaimHasATokenOfItsOwn
            i1_theCounterLivesUntilTheClockIsAheadOfIt
            i1_tokensOfManyLocksRise
            i1_tokensRiseAfterAnEndedLease
            i1_tokensRiseHoweverAHoldEnds
            i3_aStaleClaimKeepsItsToken
            i5_refusedTriesHaveNoToken
            j5_aLateTryTakesNothingFromOthers
            j5_aTryAfterItsReleaseHoldsAtMostALease
            k1_aReleaseAtAnyMomentWakesTheWaiter
            k2_aWaiterFindsTheLockOfADeadHolder
            k3_aGrantThatWasPassedOnCannotBeConfirmed
            k3_aMessageToLookIsNoGrant
            k3_needlessNudgesAreHarmless
            k5_aReleaseWakesOneWaiter
            k8_aLineHasRoomForAll
            k8_aPlaceOutlastsLeases
            k8_aWaiterLooksWhenTheOneBeforeItIsDead
            k8_anUnreachableWaiterCostsNothing
            k8_clientsAreServedInOrder
            k8_theDeadCostASecondTogether
            k8_theDeadMayHaveWantedShortLeases
            k8_theLivingKeepTheirOrderBehindTheDead
            k8_theOrderSurvivesADeadHolder
            r1_heldForIsCountedFromTheGrant
            r1_heldForIsOfThisGrant
            r1_theRestIsThatOfTheRenewedLease
            r1_theRestOfTheLeaseIsRight
            r1_thoseWhoWaitAreCounted
            r2_lookingChangesNothing
            r6_aClaimRevokedAtOnceDoesNotSayThatItHolds
            r6_aRevokedHolderHasTheRestOfItsLease
            e1_aReleaseRacesWithARevocation
            e1_releaseAtTheEndOfTheLeaseIsAtomic
            i4_raisingRacesWithTheEndOfTheLease
            """;
}
