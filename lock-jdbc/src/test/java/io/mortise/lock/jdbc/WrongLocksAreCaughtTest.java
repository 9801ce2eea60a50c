// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.MariaDbDialect;
import io.mortise.lock.jdbc.sql.PostgresDialect;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The wrong locks that the field teaches, on real servers, each fail by the rule that names their mistake. */
class WrongLocksAreCaughtTest {
    private static final String REFUSED_WHILE_HELD = "a1_secondClientIsRefusedWhileHeld";
    private static final String ONE_TAKES_OVER = "a1_oneOfManyTakesOverAnEndedLease";

    static PostgresServer postgres;
    static MariaDbServer mariaDb;

    @BeforeAll
    static void start() {
        postgres = PostgresServer.start();
        mariaDb = MariaDbServer.start();
        servers().forEach(server -> {
            try (Rows rows = new Rows((String) server.get()[0])) {
                rows.execute("create table small_locks"
                        + " (lock_key varchar(200) primary key, owner varchar(40), ends bigint, version bigint)");
            }
        });
    }

    @AfterAll
    static void stop() {
        postgres.close();
        mariaDb.close();
    }

    static Stream<Arguments> servers() {
        return Stream.of(
                Arguments.of(postgres.url(), new PostgresDialect()),
                Arguments.of(mariaDb.url(), MariaDbDialect.MARIADB));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void notComparingTheVersionIsCaught(String url, Dialect dialect) {
        assertCaught(() -> new WrongLocks.ForgetsTheVersion(url, dialect), ONE_TAKES_OVER);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void theClocksOfApplicationsAreCaught(String url, Dialect dialect) {
        assertCaught(() -> new WrongLocks.TrustsClientClocks(url, dialect), REFUSED_WHILE_HELD);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void theRightOnePasses(String url, Dialect dialect) {
        assertThat(failures(() -> new SmallLock(url, dialect), REFUSED_WHILE_HELD, ONE_TAKES_OVER))
                .isEmpty();
    }

    private static void assertCaught(Supplier<LockBackend> lock, String by) {
        assertThat(failures(lock, by).get(by)).startsWith("A1 is broken. ").contains("What happened: ");
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
                        && test.getSource().orElse(null)
                                instanceof org.junit.platform.engine.support.descriptor.MethodSource source) {
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
