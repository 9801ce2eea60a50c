// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
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

/** V2, W10: each wrong quorum fails the rules that it breaks and no others; the right quorums keep all rules. */
class WrongQuorumsAreCaughtTest {
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

    static List<Gallery.Exhibit> exhibits() {
        return Gallery.ALL;
    }

    @ParameterizedTest
    @MethodSource("exhibits")
    void aWrongQuorumFailsByItsRules(Gallery.Exhibit exhibit) {
        Map<String, String> failures = rules(exhibit.make());
        failures.values().removeIf(PASSED::equals);

        assertThat(failures).containsOnlyKeys(exhibit.caughtBy());
        assertThat(failures.get(exhibit.caughtBy().get(0))).contains(exhibit.saying());
        failures.forEach((rule, message) -> assertThat(message).contains(id(rule) + ": "));
    }

    @Test
    void theNaiveQuorumKeepsAllRules() {
        assertThat(rules(NaiveQuorum::new)).isNotEmpty().allSatisfy((rule, outcome) -> assertThat(outcome)
                .isEqualTo(PASSED));
    }

    @Test
    void halfOfTheRealServersAdmitASecondHolder() {
        assertThat(exclusion(WrongQuorums.HalfIsEnough::new))
                .startsWith("A1 is broken. ")
                .contains("should have been refused", "Why it matters: ", "Time line:");
    }

    @Test
    void aMajorityOfTheRealServersRefusesASecondHolder() {
        assertThat(exclusion(NaiveQuorum::new)).isEqualTo(PASSED);
        assertThat(exclusion(WrongQuorumsAreCaughtTest::patientQuorum)).isEqualTo(PASSED);
    }

    /** The slower a member answers, the less exactly its clock is known: all times are longer than any stall of the machine. */
    private static LockBackend patientQuorum(List<LockBackend> members) {
        Duration patience = Duration.ofMinutes(1);
        return Stores.ours(RedlockBackend.builder().memberTimeout(patience).clockBound(patience), members);
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
