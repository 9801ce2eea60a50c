// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import static io.mortise.lock.memcached.item.Claims.AMPLE;
import static io.mortise.lock.memcached.item.Claims.CALL;
import static io.mortise.lock.memcached.item.Claims.claim;
import static io.mortise.lock.memcached.item.Claims.isStored;
import static io.mortise.lock.memcached.item.Claims.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.memcached.DriverThreads;
import io.mortise.lock.memcached.item.MemcachedClaim;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several servers: each lock is on one of them, up or down (P14). */
class ServersTest {
    private static final Duration LEASE = Duration.ofSeconds(20);

    static MemcachedServer first;
    static MemcachedServer second;

    @BeforeAll
    static void start() {
        first = MemcachedServer.start();
        second = MemcachedServer.start();
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
    }

    @BeforeEach
    void bothAreEmpty() {
        first.restartEmpty();
        second.restartEmpty();
    }

    /** Were they to change, a client of the new version would look for locks in other places than the old one. */
    @Test
    void weightsNeverChange() {
        assertThat(Stream.of("h1:11211", "h2:11211", "h3:11211")
                        .map(server -> Long.toUnsignedString(DriverClient.weight(server, "a"))))
                .containsExactly("5927889498907782526", "17517894601170572323", "7650182174179627748");
        assertThat(DriverClient.weight("H1:11211", "a")).isEqualTo(DriverClient.weight("h1:11211", "a"));
    }

    @Test
    void allSpellingsOfANameAreOneServer() {
        assertThat(Stream.of("H1:11211", "h1.:11211").map(server -> DriverClient.weight(server, "a")))
                .containsOnly(DriverClient.weight("h1:11211", "a"));
        assertThat(DriverClient.weight("0:0:0:0:0:0:0:1:11211", "a")).isEqualTo(DriverClient.weight("::1:11211", "a"));
        assertThatThrownBy(() -> open("memcached://localhost,LOCALHOST"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void aRefusedUrlLeavesNoThread() {
        Set<Thread> before = DriverThreads.running();
        assertThatThrownBy(() -> open("memcached://localhost,LOCALHOST"))
                .isInstanceOf(LockConfigurationException.class);
        DriverThreads.awaitOnly(before);
    }

    @Test
    void theOrderOfServersDoesNotMatter() throws Exception {
        try (LockBackend one = open(url(first, second));
                LockBackend other = open(url(second, first))) {
            for (int i = 0; i < 40; i++) {
                assertThat(claim(one, "lock " + i, LEASE).tryAcquire(AMPLE)).isTrue();
                assertThat(claim(other, "lock " + i, LEASE).tryAcquire(AMPLE)).isFalse();
            }
        }
        assertThat(first.counter("curr_items")).isBetween(8L, 32L);
        assertThat(second.counter("curr_items")).isBetween(8L, 32L);
    }

    @Test
    void locksOfADownServerDoNotMove() throws Exception {
        try (LockBackend backend = open(url(first, second))) {
            List<String> locks =
                    IntStream.range(0, 20).mapToObj(i -> "lock " + i).toList();
            for (String lock : locks) {
                assertThat(claim(backend, lock, LEASE).tryAcquire(AMPLE)).isTrue();
            }
            List<String> ofFirst =
                    locks.stream().filter(lock -> isStored(first, lock)).toList();
            assertThat(ofFirst).isNotEmpty().hasSizeLessThan(20);

            first.kill();
            for (String lock : locks) {
                MemcachedClaim next = claim(backend, lock, LEASE);
                if (ofFirst.contains(lock)) {
                    assertThatThrownBy(() -> next.tryAcquire(CALL)).isInstanceOf(BackendException.class);
                } else {
                    assertThat(next.tryAcquire(CALL)).isFalse();
                }
            }
            assertThat(second.counter("curr_items")).isEqualTo(20 - ofFirst.size());

            first.restart();
            MemcachedClaim again = claim(backend, ofFirst.get(0), LEASE);
            await().atMost(Duration.ofSeconds(5)).ignoreExceptions().until(() -> again.tryAcquire(CALL));
        }
    }

    @Test
    void aDownOrFrozenServerDoesNotDelayRenewalsOnTheOther() throws Exception {
        LockOptions options = LockOptions.defaults().withLease(Duration.ofSeconds(3));
        try (LockClient locks =
                LockClient.builder(url(first, second)).options(options).build()) {
            List<Lease> leases = IntStream.range(0, 20)
                    .mapToObj(i -> locks.lock("lock " + i).tryAcquire().orElseThrow())
                    .toList();
            List<Lease> ofSecond = leases.stream()
                    .filter(lease -> isStored(second, lease.lockName()))
                    .toList();
            assertThat(ofSecond).isNotEmpty().hasSizeLessThan(20);

            first.pause();
            await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
            assertThat(ofSecond).allMatch(Lease::isHeld);
            first.kill();
            await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
            assertThat(ofSecond).allMatch(Lease::isHeld);
            assertThat(leases.stream().filter(Lease::isHeld)).hasSameSizeAs(ofSecond);
        }
    }

    private static String url(MemcachedServer one, MemcachedServer other) {
        return one.url() + "," + other.host() + ":" + other.port();
    }
}
