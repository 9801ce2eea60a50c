// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.Scene;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The wrong locks that the field teaches, on a real Redis, each fail by the rule that names their mistake. */
class WrongLocksAreCaughtTest {
    private static final String STALE_RELEASE = "e1_staleReleaseDoesNotFreeTheNextHolder";
    private static final String ATOMIC_RELEASE = "e1_releaseAtTheEndOfTheLeaseIsAtomic";
    private static final String SHORT_LEASE = "f2_shortLeasesAreHonoured";
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void deletingWithoutAskingIsCaught() {
        assertCaught(() -> new WrongLocks.DeletesAnybodys(server.host(), server.port()), STALE_RELEASE);
    }

    @Test
    void comparingAndDeletingInTwoCallsIsCaught() {
        assertCaught(() -> new WrongLocks.ComparesThenDeletes(server.host(), server.port()), ATOMIC_RELEASE);
    }

    @Test
    void roundingTheLeaseToSecondsIsCaught() {
        assertCaught(() -> new WrongLocks.RoundsToSeconds(server.host(), server.port()), SHORT_LEASE);
    }

    @Test
    void theRightOnePasses() {
        assertThat(failures(
                        () -> new SmallLock(server.host(), server.port()), STALE_RELEASE, ATOMIC_RELEASE, SHORT_LEASE))
                .isEmpty();
    }

    private static void assertCaught(Supplier<LockBackend> lock, String by) {
        assertThat(failures(lock, by).get(by))
                .startsWith(by.substring(0, 2).toUpperCase(Locale.ROOT) + " is broken. ")
                .contains("What happened: ");
    }

    /** The cases that fail, each with its message. */
    private static Map<String, String> failures(Supplier<LockBackend> lock, String... cases) {
        WrongLockTck.lock = lock;
        Map<String, String> failures = new TreeMap<>();
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        for (String name : cases) {
            request.selectors(selectMethod(WrongLockTck.class, name, Scene.class.getName()));
        }
        LauncherFactory.create().execute(request.build(), new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL
                        && test.getSource().orElse(null) instanceof MethodSource source) {
                    failures.put(
                            source.getMethodName(),
                            String.valueOf(result.getThrowable()
                                    .map(Throwable::getMessage)
                                    .orElse("")));
                }
            }
        });
        return failures;
    }
}
