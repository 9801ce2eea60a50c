// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** V2, on a real Redis: each wrong lock of the gallery fails by the case that names its mistake, and the right ones pass. */
class WrongLocksAreCaughtTest {
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        WrongLockTck.server = server;
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<Gallery.Exhibit> exhibits() {
        return Stream.of(Gallery.SMALL, Gallery.OURS).flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("exhibits")
    void aWrongLockFailsByItsCase(Gallery.Exhibit exhibit) {
        String by = exhibit.caughtBy();

        assertThat(outcomes(exhibit.open(), List.of(by)).get(by))
                .startsWith(by.substring(0, by.indexOf('_')).toUpperCase(Locale.ROOT) + " is broken. ")
                .contains("What happened: ");
    }

    @Test
    void theSmallOneThatTheyWereMadeOfPasses() {
        assertAllPass(NudgingLock::new, Gallery.SMALL);
    }

    @Test
    void oursPasses() {
        assertAllPass(Gallery::right, Gallery.OURS);
    }

    private static void assertAllPass(Function<String, LockBackend> lock, Collection<Gallery.Exhibit> exhibits) {
        Set<String> cases =
                new TreeSet<>(exhibits.stream().map(Gallery.Exhibit::caughtBy).toList());

        Map<String, String> outcomes = outcomes(lock, cases);
        cases.forEach(each -> assertThat(outcomes.get(each)).as(each).isEqualTo("passed"));
    }

    /** How each case ended: {@code passed}, or with which message. */
    private static Map<String, String> outcomes(Function<String, LockBackend> lock, Collection<String> cases) {
        server.flush();
        WrongLockTck.lock = lock;
        Map<String, String> outcomes = new TreeMap<>();
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        for (String name : cases) {
            request.selectors(selectMethod(WrongLockTck.class, name, Scene.class.getName()));
        }
        LauncherFactory.create().execute(request.build(), new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.getSource().orElse(null)
                        instanceof org.junit.platform.engine.support.descriptor.MethodSource source) {
                    outcomes.put(source.getMethodName(), outcome(result));
                }
            }
        });
        return outcomes;
    }

    private static String outcome(TestExecutionResult result) {
        return result.getStatus() == TestExecutionResult.Status.SUCCESSFUL
                ? "passed"
                : result.getThrowable().map(Throwable::getMessage).orElse("failed");
    }
}
