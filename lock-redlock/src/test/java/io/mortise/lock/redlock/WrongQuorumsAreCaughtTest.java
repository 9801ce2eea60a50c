// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.SuiteRun;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** V2, W10: each wrong quorum fails the rules that it breaks and no others; the right quorums keep all rules. */
class WrongQuorumsAreCaughtTest {
    private static final String EXCLUSION = "a1_secondClientIsRefusedWhileHeld";

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

    static List<WrongQuorum> wrongQuorums() {
        return WrongQuorum.ALL;
    }

    @ParameterizedTest
    @MethodSource("wrongQuorums")
    void aWrongQuorumFailsByItsRules(WrongQuorum wrong) {
        SuiteRun run = rules(wrong.make());
        Map<String, String> failures = run.failures();

        assertThat(run.skipped()).isEmpty();
        assertThat(failures).containsOnlyKeys(wrong.caughtBy());
        assertThat(failures.get(wrong.caughtBy().get(0))).contains(wrong.saying());
        failures.forEach((rule, message) -> assertThat(message).contains(id(rule) + ": "));
    }

    @Test
    void theNaiveQuorumKeepsAllRules() {
        SuiteRun run = rules(NaiveQuorum::new);

        assertThat(run.failures()).isEmpty();
        assertThat(run.skipped()).isEmpty();
        assertThat(run.passed()).isNotEmpty();
    }

    @Test
    void halfOfTheRealServersAdmitASecondHolder() {
        assertThat(exclusion(WrongQuorums.HalfIsEnough::new).caughtBy(EXCLUSION))
                .contains("should have been refused");
    }

    @Test
    void aMajorityOfTheRealServersRefusesASecondHolder() {
        assertThat(exclusion(NaiveQuorum::new).passed()).containsOnly(EXCLUSION);
        assertThat(exclusion(WrongQuorumsAreCaughtTest::patientQuorum).passed()).containsOnly(EXCLUSION);
    }

    /** The slower a member answers, the less exactly its clock is known: all times are longer than any stall of the machine. */
    private static LockBackend patientQuorum(List<LockBackend> members) {
        Duration patience = Duration.ofMinutes(1);
        return Stores.ours(
                RedlockBackend.builder().newQuorum().memberTimeout(patience).clockBound(patience), members);
    }

    private static SuiteRun rules(Function<List<LockBackend>, LockBackend> quorum) {
        AnyQuorumCases.quorum = quorum;
        return SuiteRun.of(AnyQuorumCases.class);
    }

    private static SuiteRun exclusion(Function<List<LockBackend>, LockBackend> quorum) {
        AnyQuorumTck.quorum = quorum;
        return SuiteRun.of(AnyQuorumTck.class, List.of(EXCLUSION));
    }

    private static String id(String rule) {
        return rule.substring(0, rule.indexOf('_')).toUpperCase(Locale.ROOT);
    }
}
