// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.SuiteRun;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** V2, on a real Redis: each wrong lock fails by the case that names its mistake, and the right ones pass. */
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

    static Stream<WrongLock> wrongLocks() {
        return Stream.of(WrongLock.SMALL, WrongLock.OURS).flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("wrongLocks")
    void aWrongLockFailsByItsCase(WrongLock lock) {
        run(lock.open(), List.of(lock.caughtBy())).caughtBy(lock.caughtBy());
    }

    @Test
    void theSmallOneThatTheyWereMadeOfPasses() {
        assertAllPass(NudgingLock::new, WrongLock.SMALL);
    }

    @Test
    void oursPasses() {
        assertAllPass(EditedScripts::openUnedited, WrongLock.OURS);
    }

    private static void assertAllPass(Function<String, LockBackend> lock, Collection<WrongLock> wrongLocks) {
        Set<String> cases =
                new TreeSet<>(wrongLocks.stream().map(WrongLock::caughtBy).toList());

        assertThat(run(lock, cases).passed()).isEqualTo(cases);
    }

    private static SuiteRun run(Function<String, LockBackend> lock, Collection<String> cases) {
        server.flush();
        WrongLockTck.lock = lock;
        return SuiteRun.of(WrongLockTck.class, cases);
    }
}
