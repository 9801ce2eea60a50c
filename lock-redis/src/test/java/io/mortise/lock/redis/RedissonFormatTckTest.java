// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.foreign.Promise;
import io.mortise.lock.tck.foreign.Promises;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks as Redisson has them, put to what Redisson promises; that its clients are kept out is tried beside the other libraries. */
@Promises({
    Promise.EXCLUSION,
    Promise.CLOSING,
    Promise.ANY_NAME,
    Promise.LEASES,
    Promise.OWNERSHIP,
    Promise.OWNERSHIP_IN_ONE_CLIENT,
    Promise.TRUE_RELEASES,
    Promise.ENDED_IS_LOST,
    Promise.RENEWALS
})
class RedissonFormatTckTest extends LockBackendTck {
    private static final Duration CALL = Duration.ofSeconds(5);

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    public String store() {
        return server.url() + "?format=redisson";
    }

    @Override
    public LockBackend open(String store) {
        return new RedisBackendProvider().open(StoreUrl.parse(store));
    }

    private static Claim claim(LockBackend backend, String lock) {
        return backend.claim(
                new ClaimRequest(lock, "0123456789abcdef".repeat(2), "ann@db1", Duration.ofSeconds(30), false, 0, 1),
                () -> {});
    }

    /** What its clients look for: a hash at the name, with a number in one field, that ends. */
    @Test
    void theKeyIsTheOneThatRedissonHas() throws Exception {
        try (LockBackend backend = open(store())) {
            Claim claim = claim(backend, "orders/42");
            assertThat(claim.tryAcquire(CALL)).isTrue();
            assertThat(server.command("HGETALL", "orders/42"))
                    .asString()
                    .contains("mortise:0123456789abcdef0123456789abcdef:ann@db1", "1");
            assertThat(server.command("PTTL", "orders/42")).asString().matches("(?s).*\\b(2\\d{4}|30000)\\b.*");
            assertThat(backend.inspect("orders/42", CALL).orElseThrow().label()).isEqualTo("ann@db1");
            assertThat(claim.release(CALL)).isTrue();
            assertThat(backend.inspect("orders/42", CALL)).isEmpty();
        }
    }

    @Test
    void aHolderWithRedissonIsNotEntered() throws Exception {
        String theirs = "0a1b2c3d-0000-1111-2222-333344445555:17";
        server.command("HSET", "theirs", theirs, "2");
        server.command("PEXPIRE", "theirs", "30000");
        try (LockBackend backend = open(store())) {
            Claim claim = claim(backend, "theirs");
            assertThat(claim.tryAcquire(CALL)).isFalse();
            assertThat(claim.release(CALL)).isFalse();
            assertThat(backend.inspect("theirs", CALL).orElseThrow().label()).isEqualTo(theirs);
        }
        assertThat(server.command("HGET", "theirs", theirs)).asString().contains("2");
    }

    @Test
    void aNameThatUtf8CannotTellFromAnotherIsRefused() {
        try (LockBackend backend = open(store())) {
            Claim claim = claim(backend, "half \ud83d");
            assertThatThrownBy(() -> claim.tryAcquire(CALL))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("valid Unicode");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://h?format=shedlock",
                "redis://h?format=redisson&prefix=p:",
                "redis://h?format=redisson&role=any",
                "redis+cluster://h?format=redisson"
            })
    void whatDoesNotGoTogetherIsRefused(String url) {
        assertThatThrownBy(() -> open(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("format");
    }
}
