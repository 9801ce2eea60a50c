// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.gallery.SuiteRun;
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
        run(exhibit.open(), List.of(exhibit.caughtBy())).caughtBy(exhibit.caughtBy());
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

        assertThat(run(lock, cases).passed()).isEqualTo(cases);
    }

    private static SuiteRun run(Function<String, LockBackend> lock, Collection<String> cases) {
        server.flush();
        WrongLockTck.lock = lock;
        return SuiteRun.of(WrongLockTck.class, cases);
    }
}
