// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.Scene;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** V2, W10: each wrong quorum fails by the rules that it breaks and by no others, and the right ones keep all. */
class WrongQuorumsAreCaughtTest {
    /**
     * A wrong quorum.
     *
     * @param mistake what is wrong with it
     * @param make makes a client of it
     * @param saying what the first of the rules must say
     * @param caughtBy the rules that must fail, the one that names the mistake first
     */
    record Exhibit(
            String mistake, Function<List<LockBackend>, LockBackend> make, String saying, List<String> caughtBy) {
        @Override
        public String toString() {
            return mistake;
        }
    }

    private static final String PASSED = "passed";

    private static final List<RedisServer> SERVERS = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int i = 0; i < 3; i++) {
            SERVERS.add(RedisServer.start());
        }
        AnyQuorumTck.servers = SERVERS.stream().map(RedisServer::url).toList();
    }

    @AfterAll
    static void stop() {
        SERVERS.forEach(RedisServer::close);
    }

    static Stream<Exhibit> exhibits() {
        return Stream.of(
                new Exhibit(
                        "half of the members are enough",
                        WrongQuorums.HalfIsEnough::new,
                        "P5: granted by two of five",
                        List.of(
                                "p5_lessThanAMajorityGrantsNothing",
                                "p5_aRepeatedGrantIsAFullLeaseAtAMajority",
                                "p7_aFailedRoundReleasesWhatItGot",
                                "p7_whatComesLateFromAFailedRoundTouchesNothingOfTheNext",
                                "p9_aRenewalNeedsAMajorityThatKnowsTheHolder",
                                "c7_anUndecidedRoundIsNoAnswer")),
                new Exhibit(
                        "does not count the time that the round took",
                        WrongQuorums.CountsNoTime::new,
                        "P5: granted when the lease was over",
                        List.of("p5_aGrantThatTakesLongerThanItsLeaseIsNone")),
                new Exhibit(
                        "counts old grants as new",
                        WrongQuorums.CountsOldGrantsAsNew::new,
                        "P5: members at which the full lease is left",
                        List.of("p5_aRepeatedGrantIsAFullLeaseAtAMajority")),
                new Exhibit(
                        "leaves the minority of a failed round locked",
                        WrongQuorums.KeepsItsMinority::new,
                        "P7: the member is free that granted",
                        List.of(
                                "p7_aFailedRoundReleasesWhatItGot",
                                "p7_aFailedRoundReleasesMembersThatDidNotAnswer",
                                "p7_whatComesLateFromAFailedRoundTouchesNothingOfTheNext",
                                "c7_anUndecidedRoundIsNoAnswer")),
                new Exhibit(
                        "does not release members that did not answer",
                        WrongQuorums.ForgetsTheSilent::new,
                        "P7: the member is free whose grant was not heard of",
                        List.of("p7_aFailedRoundReleasesMembersThatDidNotAnswer")),
                new Exhibit(
                        "has one owner for all rounds",
                        WrongQuorums.OneOwnerForAllRounds::new,
                        "P7: a second holder, let in by a late release",
                        List.of("p7_whatComesLateFromAFailedRoundTouchesNothingOfTheNext")),
                new Exhibit(
                        "renews where it is left",
                        WrongQuorums.RenewsWhereItIsLeft::new,
                        "P9: renewed by two of five",
                        List.of("p9_aRenewalNeedsAMajorityThatKnowsTheHolder")),
                new Exhibit(
                        "takes silence for no",
                        WrongQuorums.TakesSilenceForNo::new,
                        "C7: two of three are silent",
                        List.of("c7_anUndecidedRoundIsNoAnswer")));
    }

    @ParameterizedTest
    @MethodSource("exhibits")
    void aWrongQuorumFailsByItsRules(Exhibit exhibit) {
        Map<String, String> failures = rules(exhibit.make());
        failures.values().removeIf(PASSED::equals);

        assertThat(failures).containsOnlyKeys(exhibit.caughtBy());
        assertThat(failures.get(exhibit.caughtBy().get(0))).contains(exhibit.saying());
        failures.forEach((rule, message) -> assertThat(message).contains(id(rule) + ": "));
    }

    @Test
    void theNaiveOneThatTheyAreMadeOfKeepsAll() {
        assertThat(rules(NaiveQuorum::new)).isNotEmpty().allSatisfy((rule, outcome) -> assertThat(outcome)
                .isEqualTo(PASSED));
    }

    @Test
    void halfOfRealServersLetASecondHolderIn() {
        assertThat(exclusion(WrongQuorums.HalfIsEnough::new))
                .startsWith("A1 is broken. ")
                .contains("should have been refused", "Why it matters: ", "Time line:");
    }

    @Test
    void aMajorityOfRealServersDoesNot() {
        assertThat(exclusion(NaiveQuorum::new)).isEqualTo(PASSED);
        assertThat(exclusion(members -> Stores.ours(RedlockBackend.builder(), members)))
                .isEqualTo(PASSED);
    }

    private static Map<String, String> rules(Function<List<LockBackend>, LockBackend> quorum) {
        AnyQuorumRules.quorum = quorum;
        return outcomes(selectClass(AnyQuorumRules.class));
    }

    private static @Nullable String exclusion(Function<List<LockBackend>, LockBackend> quorum) {
        AnyQuorumTck.quorum = quorum;
        String rule = "a1_secondClientIsRefusedWhileHeld";
        return outcomes(selectMethod(AnyQuorumTck.class, rule, Scene.class.getName()))
                .get(rule);
    }

    /** How each case ended: passed, or with which message. */
    private static Map<String, String> outcomes(DiscoverySelector cases) {
        Map<String, String> outcomes = new TreeMap<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(cases)
                                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                if (test.isTest()) {
                                    outcomes.put(name(test), outcome(result));
                                }
                            }
                        });
        return outcomes;
    }

    private static String name(TestIdentifier test) {
        return test.getSource()
                .map(org.junit.platform.engine.support.descriptor.MethodSource.class::cast)
                .orElseThrow()
                .getMethodName();
    }

    private static String outcome(TestExecutionResult result) {
        return result.getStatus() == TestExecutionResult.Status.SUCCESSFUL
                ? PASSED
                : result.getThrowable().map(Throwable::getMessage).orElse("failed");
    }

    private static String id(String rule) {
        return rule.substring(0, rule.indexOf('_')).toUpperCase(Locale.ROOT);
    }
}
