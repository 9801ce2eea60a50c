// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which incarnation of the server answered a claim. */
class StoreIncarnationTest {
    @Test
    void allClientsSeeTheSameRunUntilTheServerRestarts() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisBackend one = Claims.open(server.url());
                RedisBackend other = Claims.open(server.url())) {
            Claim holder = plain(one, "run");
            StoreIncarnation now = holder.storeIncarnation(AMPLE).orElseThrow();
            granted(holder);
            assertThat(holder.storeIncarnation(AMPLE).orElseThrow().id()).isEqualTo(now.id());
            Claim second = plain(other, "run");
            refused(second);

            StoreIncarnation incarnation = holder.storeIncarnation(AMPLE).orElseThrow();
            assertThat(second.storeIncarnation(AMPLE).orElseThrow().id()).isEqualTo(incarnation.id());
            server.restartEmpty();
            Claim later = plain(one, "run");
            await().ignoreExceptionsInstanceOf(BackendException.class).until(() -> later.tryAcquire(AMPLE));
            assertThat(later.storeIncarnation(AMPLE).orElseThrow().id()).isNotEqualTo(incarnation.id());
        }
    }

    @Test
    void aRunTellsItsAgeAndItsClock() throws Exception {
        long before = System.nanoTime();
        try (RedisServer server = RedisServer.start();
                RedisBackend backend = Claims.open(server.url())) {
            StoreIncarnation incarnation =
                    granted(plain(backend, "age")).storeIncarnation(AMPLE).orElseThrow();

            assertThat(incarnation.startedBefore() - before).isBetween(0L, System.nanoTime() - before);
            await("it grows older")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> System.nanoTime()
                                    - granted(plain(backend, "age-" + System.nanoTime()))
                                            .storeIncarnation(AMPLE)
                                            .orElseThrow()
                                            .startedBefore()
                            > TimeUnit.SECONDS.toNanos(2));
            long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime()) + incarnation.clockAheadMicros();
            long seconds =
                    Long.parseLong(String.valueOf(((List<?>) Objects.requireNonNull(server.command("TIME"))).get(0)));
            assertThat(micros / 1_000_000 - seconds).isBetween(-2L, 2L);
        }
    }

    @Test
    void theRunOfAConnectionIsAskedOnce() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisBackend backend = Claims.open(server.url())) {
            StoreIncarnation first =
                    granted(plain(backend, "once")).storeIncarnation(AMPLE).orElseThrow();
            await("the server is older than the question")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        granted(plain(backend, "once-" + System.nanoTime())).storeIncarnation(AMPLE);
                        server.command("CONFIG", "RESETSTAT");
                        granted(plain(backend, "once-" + System.nanoTime())).storeIncarnation(AMPLE);
                        return !server.commandStats().containsKey("info");
                    });
            assertThat(granted(plain(backend, "last"))
                            .storeIncarnation(AMPLE)
                            .orElseThrow()
                            .id())
                    .isEqualTo(first.id());
        }
    }
}
