// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.MariaDbDialect;
import io.mortise.lock.jdbc.sql.PostgresDialect;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.SuiteRun;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

    /** As if a client that has released a lock could be sure that it is free still. */
    @ParameterizedTest
    @MethodSource("servers")
    void takingALockThatWasFreeAMomentAgoIsCaught(String url, Dialect dialect) {
        AtomicBoolean edited = new AtomicBoolean();
        assertCaught(
                () -> EditedStatements.open(url, sql -> {
                    String careless = sql.replace("and t.owner is null and (", "and (");
                    edited.compareAndSet(false, !careless.equals(sql));
                    return careless;
                }),
                REFUSED_WHILE_HELD);
        assertThat(edited).isTrue();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void theRightOnePasses(String url, Dialect dialect) {
        assertThat(run(() -> new SmallLock(url, dialect), REFUSED_WHILE_HELD, ONE_TAKES_OVER)
                        .passed())
                .containsOnly(REFUSED_WHILE_HELD, ONE_TAKES_OVER);
    }

    private static void assertCaught(Supplier<LockBackend> lock, String by) {
        run(lock, by).caughtBy(by);
    }

    private static SuiteRun run(Supplier<LockBackend> lock, String... cases) {
        WrongLockTck.lock = lock;
        return SuiteRun.of(WrongLockTck.class, List.of(cases));
    }
}
