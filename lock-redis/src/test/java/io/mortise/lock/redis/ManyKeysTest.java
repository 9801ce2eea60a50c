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

    @Test
    void locksAreListedBesideManyKeysAndATimeThatIsTooShortIsTold(TestReporter reporter) throws InterruptedException {
        try (RedisServer server = RedisServer.start("--enable-debug-command", "yes");
                RedisBackend backend = Claims.open(server.url())) {
            server.command("DEBUG", "POPULATE", System.getProperty("mortise.keys", "200000"));
            granted(plain(backend, "a"));
            granted(plain(backend, "b"));

            long asked = System.nanoTime();
            assertThat(backend.list("", "", 500, LONG))
                    .extracting(LockHolder::lock)
                    .containsExactly("a", "b");
            Duration took = Duration.ofNanos(System.nanoTime() - asked);
            reporter.publishEntry("list", took.toMillis() + " ms");

            assertUnknown(() -> backend.list("", "", 500, Duration.ofMillis(2)));
            assertThat(backend.list("b", "", 500, LONG)).hasSize(1);
        }
    }
}
