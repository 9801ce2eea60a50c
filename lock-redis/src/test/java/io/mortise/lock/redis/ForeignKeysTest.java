// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.assertRefused;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.keys;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** F3: what is not ours, or has no end, is neither free nor held: it is an error, and it stays as it is. */
class ForeignKeysTest extends RedisBackendTest {
    @ParameterizedTest
    @ValueSource(strings = {"hello", "", "held", "held 00ff", "held zz 1 2 label", "called", "free 00ff 1 2 label"})
    void aForeignValueIsAnErrorAndStays(String value) throws InterruptedException {
        Claim claim = granted(plain(backend, "lock"));
        server.command("SET", keys("lock").lock(), value);

        isAnErrorForAll(claim);
        assertThat(server.command("GET", keys("lock").lock())).isEqualTo(value);
    }

    @Test
    void aForeignTypeIsAnErrorAndStays() throws InterruptedException {
        Claim claim = granted(plain(backend, "lock"));
        server.command("DEL", keys("lock").lock());
        server.command("RPUSH", keys("lock").lock(), "hello");

        isAnErrorForAll(claim);
        assertThat(server.command("LRANGE", keys("lock").lock(), "0", "-1")).isEqualTo(List.of("hello"));
    }

    @Test
    void aForeignKeyDoesNotHideTheAnswersOfOtherLocks() throws InterruptedException {
        Claim first = granted(plain(backend, "first"));
        Claim spoilt = granted(plain(backend, "spoilt"));
        Claim last = granted(plain(backend, "last"));
        server.command("DEL", keys("spoilt").lock());
        server.command("HSET", keys("spoilt").lock(), "field", "value");

        assertThat(backend.renewAll(Claims.renewals(first, spoilt, last), AMPLE))
                .containsExactly(Answer.YES, Answer.UNKNOWN, Answer.YES);
    }

    @Test
    void aBatchOfForeignKeysIsRefused() throws InterruptedException {
        Claim spoilt = granted(plain(backend, "spoilt"));
        server.command("SET", keys("spoilt").lock(), "hello");

        assertRefused(() -> backend.renewAll(Claims.renewals(spoilt), AMPLE))
                .hasMessageContaining("something that is no lock");
    }

    @Test
    void aLockWithoutAnEndIsAnErrorUntilItsHolderRenews() throws InterruptedException {
        Claim claim = granted(plain(backend, "endless"));
        server.command("PERSIST", keys("endless").lock());

        assertUnknown(() -> plain(backend, "endless").tryAcquire(AMPLE)).hasMessageContaining("no time to live");
        assertUnknown(() -> backend.inspect("endless", AMPLE)).hasMessageContaining("no time to live");
        assertThat(claim.renew(LEASE, AMPLE)).isTrue();
        assertThat((Long) server.command("PTTL", keys("endless").lock())).isPositive();
        assertThat(claim.release(AMPLE)).isTrue();
    }

    private void isAnErrorForAll(Claim holder) {
        assertRefused(() -> plain(backend, "lock").tryAcquire(AMPLE)).hasMessageContaining("something that is no lock");
        assertRefused(() -> waiting(backend, "lock", () -> {}).tryAcquire(AMPLE))
                .hasMessageContaining("something that is no lock");
        assertRefused(() -> holder.renew(LEASE, AMPLE)).hasMessageContaining("something that is no lock");
        assertRefused(() -> holder.release(AMPLE)).hasMessageContaining("something that is no lock");
        assertRefused(() -> backend.inspect("lock", AMPLE)).hasMessageContaining("something that is no lock");
        assertRefused(() -> backend.revoke("lock", "test", true, AMPLE))
                .hasMessageContaining("something that is no lock");
    }
}
