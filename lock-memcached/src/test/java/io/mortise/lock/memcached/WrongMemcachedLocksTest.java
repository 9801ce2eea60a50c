// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The mistakes that tutorials teach fail on the real server, by the rule that names them. */
class WrongMemcachedLocksTest {
    private static final String WHOLE_SECONDS = "f2_shortLeasesAreHonoured";
    private static final String TAKING_OVER = "a1_oneOfManyTakesOverAnEndedLease";
    private static final String RELEASING = "e1_releaseAtTheEndOfTheLeaseIsAtomic";

    static MemcachedServer server;

    @BeforeAll
    static void start() {
        server = MemcachedServer.start();
        WrongMemcachedTck.url = server.url();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aLeaseRoundedDownToSecondsIsCaught() {
        isCaught(WrongLocks.RoundsDown::new, WHOLE_SECONDS, "F2 is broken. ");
    }

    @Test
    void deletingAndSettingIsCaught() {
        isCaught(WrongLocks.DeletesTheStaleAndSets::new, TAKING_OVER, "A1 is broken. ");
    }

    @Test
    void trustingTheHoldersClockIsCaught() {
        isCaught(WrongLocks.TrustsItsOwnClock::new, RELEASING, "E1 is broken. ");
    }

    @Test
    void theSameLockWithoutAMistakePasses() {
        assertThat(failures(WrongLocks.None::new, List.of(WHOLE_SECONDS, TAKING_OVER, RELEASING)))
                .isEmpty();
    }

    private static void isCaught(Function<String, LockBackend> lock, String by, String saying) {
        Map<String, String> failures = failures(lock, List.of(by));

        assertThat(failures).containsOnlyKeys(by);
        assertThat(failures.get(by)).startsWith(saying).contains("Why it matters: ", "Time line:");
    }

    /** The messages of the cases that fail. */
    private static Map<String, String> failures(Function<String, LockBackend> lock, List<String> cases) {
        WrongMemcachedTck.lock = lock;
        Map<String, String> failures = new TreeMap<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(cases.stream()
                                        .map(name -> selectMethod(WrongMemcachedTck.class, name, Scene.class.getName()))
                                        .toList())
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                                    failures.put(
                                            test.getSource()
                                                    .filter(MethodSource.class::isInstance)
                                                    .map(source -> ((MethodSource) source).getMethodName())
                                                    .orElse(test.getDisplayName()),
                                            result.getThrowable()
                                                    .map(Throwable::getMessage)
                                                    .orElse(""));
                                }
                            }
                        });
        return failures;
    }
}
