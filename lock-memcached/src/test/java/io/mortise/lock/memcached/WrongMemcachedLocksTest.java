// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.SuiteRun;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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
        isCaught(WrongLocks.RoundsDown::new, WHOLE_SECONDS);
    }

    @Test
    void deletingAndSettingIsCaught() {
        isCaught(WrongLocks.DeletesTheStaleAndSets::new, TAKING_OVER);
    }

    @Test
    void trustingTheHoldersClockIsCaught() {
        isCaught(WrongLocks.TrustsItsOwnClock::new, RELEASING);
    }

    @Test
    void theSameLockWithoutAMistakePasses() {
        assertThat(run(WrongLocks.None::new, WHOLE_SECONDS, TAKING_OVER, RELEASING)
                        .passed())
                .containsOnly(WHOLE_SECONDS, TAKING_OVER, RELEASING);
    }

    private static void isCaught(Function<String, LockBackend> lock, String by) {
        run(lock, by).caughtBy(by);
    }

    private static SuiteRun run(Function<String, LockBackend> lock, String... cases) {
        WrongMemcachedTck.lock = lock;
        return SuiteRun.of(WrongMemcachedTck.class, List.of(cases));
    }
}
