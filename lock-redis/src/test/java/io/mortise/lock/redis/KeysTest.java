// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.keys;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.refused;
import static io.mortise.lock.redis.Claims.request;
import static io.mortise.lock.redis.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockHolder;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.RegisterEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

/** P1, P2, B6: what stands in the server, and that scripts keep to the keys that they were given. */
class KeysTest extends RedisBackendTest {
    /** P1: 128 random bits for each acquisition, of one thread and one client, too. */
    @Test
    void everyAcquisitionHasAnOwnerOfItsOwn() {
        Set<String> owners = new HashSet<>();
        try (LockClient client = LockClient.connect(server.url())) {
            for (int i = 0; i < 100; i++) {
                try (Lease lease = client.lock("lock").tryAcquire().orElseThrow()) {
                    String value =
                            String.valueOf(server.command("GET", keys("lock").lock()));
                    assertThat(value).matches("held [0-9a-f]{32} " + lease.fencingToken() + " .*");
                    owners.add(value.split(" ")[1]);
                }
            }
        }
        assertThat(owners).hasSize(100);
    }

    /** P2: whatever is done, each command of a script names a key that its call named, and all of a call are in one slot. */
    @Test
    void scriptsTouchOnlyTheKeysThatTheyWereGiven() throws InterruptedException {
        try (CommandMonitor monitor = CommandMonitor.of(server)) {
            everythingThatCanBeDone();
            registering();
            granted(plain(backend, "last"));
            List<CommandMonitor.Call> calls = monitor.calls(each -> each.contains("mortise:{last}"));
            assertThat(calls).extracting(CommandMonitor.Call::script).contains(digests());
            for (CommandMonitor.Call call : calls) {
                assertThat(call.keys()).as(call.toString()).containsAll(call.touched());
                assertThat(call.keys())
                        .as(call.toString())
                        .extracting(JedisClusterCRC16::getSlot)
                        .containsOnly(JedisClusterCRC16.getSlot(call.keys().get(0)));
            }
            assertThat(calls).anyMatch(call -> call.touched().size() > 4);
        }
    }

    private static String[] digests() {
        return List.of(Script.values()).stream()
                .filter(script ->
                        !Set.of(Script.GUARD, Script.CHECK, Script.REDISSON).contains(script))
                .map(Script::digest)
                .toArray(String[]::new);
    }

    private void everythingThatCanBeDone() throws InterruptedException {
        Claim holder = granted(plain(backend, "lock"));
        granted(holder);
        refused(plain(backend, "lock"));
        Claim first = waiting(backend, "lock", () -> {});
        Claim second = waiting(backend, "lock", () -> {});
        Claim third = waiting(backend, "lock", () -> {});
        refused(first);
        refused(second);
        refused(third);
        refused(third);
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();
        assertThat(holder.raiseToken(holder.fencingToken() + 5, AMPLE)).isTrue();
        assertThat(backend.inspect("lock", AMPLE)).isPresent();
        assertThat(backend.list("", "", 10, AMPLE)).hasSize(1);
        assertThat(holder.release(AMPLE)).isTrue();
        // The first is called and does not come; the last looks, and has the lock some time.
        server.command("PEXPIRE", keys("lock").lock(), "0");
        await().until(() -> third.tryAcquire(AMPLE) || second.tryAcquire(AMPLE));
        assertThat(backend.revoke("lock", "test", false, AMPLE)).isTrue();
        assertThat(second.renew(LEASE, AMPLE) || third.renew(LEASE, AMPLE)).isFalse();
        assertThat(backend.revoke("lock", "test", true, AMPLE)).isTrue();
        second.release(AMPLE);
        third.release(AMPLE);
        first.release(AMPLE);
        first.release(AMPLE);
    }

    /** In a server that writes to disk what it answers. */
    private void registering() {
        server.command("CONFIG", "SET", "appendonly", "yes", "appendfsync", "always");
        try (RedisBackend durable = Claims.open(server.url())) {
            RegisterEntry entry = RegisterEntry.of("sample");
            assertThat(durable.writeRegister("sample", Optional.empty(), entry, AMPLE))
                    .isTrue();
            assertThat(durable.readRegister("sample", AMPLE)).contains(entry);
        } finally {
            server.command("CONFIG", "SET", "appendonly", "no", "appendfsync", "everysec");
        }
    }

    /** B6: two prefixes are two worlds. */
    @Test
    void clientsOfDifferentPrefixesDoNotSeeEachOther() throws InterruptedException {
        ClaimRequest same = request("lock", LEASE, false);
        try (RedisBackend one = Claims.open(server.url() + "?prefix=one:");
                RedisBackend other = Claims.open(server.url() + "?prefix=other:")) {
            Claim held = granted(one.claim(same, () -> {}));
            Claim too = granted(other.claim(same, () -> {}));
            assertThat(one.list("", "", 10, AMPLE))
                    .extracting(LockHolder::fencingToken)
                    .containsExactly(held.fencingToken());
            assertThat(other.list("", "", 10, AMPLE))
                    .extracting(LockHolder::fencingToken)
                    .containsExactly(too.fencingToken());
            assertThat(backend.list("", "", 10, AMPLE)).isEmpty();
            assertThat(backend.inspect("lock", AMPLE)).isEmpty();

            assertThat(other.revoke("lock", "test", true, AMPLE)).isTrue();
            assertThat(too.release(AMPLE)).isFalse();
            assertThat(one.renewAll(Claims.renewals(held), AMPLE)).containsExactly(Answer.YES);
            assertThat(held.release(AMPLE)).isTrue();
        }
        assertThat((List<?>) server.command("KEYS", "*"))
                .allMatch(key -> key.toString().matches("(one|other):\\{lock}.*"));
    }
}
