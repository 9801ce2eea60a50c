// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockHolder;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** P1: locks are listed beside many keys of others; {@code -Dmortise.keys=3000000} measures how long that takes. */
class ManyKeysTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int STEP = 100_000;

    @Test
    void locksAreListedBesideManyKeysAndATimeThatIsTooShortIsTold(TestReporter reporter) throws InterruptedException {
        try (RedisServer server = RedisServer.start("--enable-debug-command", "yes");
                RedisBackend backend = Claims.open(server.url())) {
            int keys = Integer.getInteger("mortise.keys", 200_000);
            for (int made = 0; made < keys; made += STEP) {
                server.command("DEBUG", "POPULATE", String.valueOf(STEP), "other-" + made);
            }
            granted(plain(backend, "a"));
            granted(plain(backend, "b"));

            server.command("CONFIG", "RESETSTAT");
            long asked = System.nanoTime();
            assertThat(backend.list("", "", 500, LONG))
                    .extracting(LockHolder::lock)
                    .containsExactly("a", "b");
            Duration took = Duration.ofNanos(System.nanoTime() - asked);
            reporter.publishEntry("list", took.toMillis() + " ms");
            assertThat(server.commandStats().get("scan"))
                    .as("steps of one pass")
                    .isLessThan(2L * keys / 4_000);

            assertUnknown(() -> backend.list("", "", 500, Duration.ofMillis(2)));
            assertThat(backend.list("b", "", 500, LONG)).hasSize(1);
        }
    }
}
