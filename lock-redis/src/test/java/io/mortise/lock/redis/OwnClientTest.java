// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.spi.Feature;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;

/** A client that the application has already. */
@Timeout(60)
class OwnClientTest extends RedisServerTest {
    private static RedisClient redisClient;

    @BeforeAll
    static void openClient() {
        redisClient = RedisClient.create(server.url());
    }

    @AfterAll
    static void closeClient() {
        redisClient.close();
    }

    @Test
    void listensWhereListeningIsConfigured() throws Exception {
        HostAndPort address = new HostAndPort(server.host(), server.port());
        DefaultJedisClientConfig listening = DefaultJedisClientConfig.builder()
                .resp2()
                .blockingSocketTimeoutMillis(10_000)
                .build();
        LockClient locks = LockClient.builder(RedisBackend.builder(redisClient)
                        .listening(() -> new Connection(address, listening))
                        .build())
                .build();
        try (locks) {
            assertThat(locks.features()).contains(Feature.PROMPT, Feature.FAIR);
            handsOver(locks, "listening");
        }
        assertThat(redisClient.ping()).isEqualTo("PONG");
    }

    @Test
    void pollsOtherwise() throws Exception {
        try (LockClient locks =
                LockClient.builder(RedisBackend.builder(redisClient).build()).build()) {
            assertThat(locks.features()).doesNotContain(Feature.PROMPT, Feature.FAIR);
            handsOver(locks, "polling");
        }
        assertThat(redisClient.ping()).isEqualTo("PONG");
    }

    @Test
    void guardsData() throws Exception {
        try (LockClient locks = LockClient.connect(server.url());
                Lease lease = locks.lock("report/42").acquire()) {
            String report = "all is well";
            boolean written =
                    new RedisFencingGuard(redisClient).write(lease.fencingToken(), "report/42", "SET", report);
            assertThat(written).isTrue();
            assertThat(redisClient.get("report/42")).isEqualTo(report);
        }
    }

    /** From one client to another, so that it goes through the server. */
    private static void handsOver(LockClient locks, String lock) throws Exception {
        try (LockClient other = LockClient.connect(server.url())) {
            Lease held = other.lock(lock).acquire();
            CompletableFuture<Lease> waiting = locks.lock(lock).acquireAsync();
            assertThat(locks.lock(lock).tryAcquire(Duration.ofMillis(100))).isEmpty();
            held.release();
            assertThat(waiting.get(10, TimeUnit.SECONDS).release()).isTrue();
        }
    }
}
