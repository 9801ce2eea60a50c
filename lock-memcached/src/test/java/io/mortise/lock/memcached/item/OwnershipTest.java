// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import static io.mortise.lock.memcached.item.Claims.AMPLE;
import static io.mortise.lock.memcached.item.Claims.claim;
import static io.mortise.lock.memcached.item.Claims.isStored;
import static io.mortise.lock.memcached.item.Claims.key;
import static io.mortise.lock.memcached.item.Claims.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing of another's is ever changed (P12). */
class OwnershipTest {
    private static final Duration LEASE = Duration.ofSeconds(20);

    /** A busy machine needs longer than {@link #LEASE} to fill a server. */
    private static final Duration LONGER_THAN_FILLING = Duration.ofMinutes(10);

    static MemcachedServer server;

    private LockBackend backend;

    @BeforeAll
    static void start() {
        server = MemcachedServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        server.flush();
        backend = open(server.url());
    }

    @AfterEach
    void disconnect() {
        backend.close();
    }

    /** A restarted server counts versions from the start again: the version that was read is now another's. */
    @Test
    void aVersionFromBeforeARestartIsNeverUsed() throws Exception {
        backend.close();
        server.restart();
        backend = open(server.url());
        MemcachedClaim victim = claim(backend, "lock", LEASE);
        assertThat(victim.tryAcquire(AMPLE)).isTrue();
        VersionedItem stale = read(victim);
        server.restart();
        try (LockBackend other = open(server.url())) {
            MemcachedClaim next = claim(other, "lock", LEASE);
            assertThat(next.tryAcquire(AMPLE)).isTrue();
            String found = server.command("gets " + key("lock")).get(0);
            assertThat(found).as("the version of another's item").endsWith(" " + stale.cas());

            // A first command finds the old connection broken.
            await().ignoreExceptions().until(() -> !victim.release(AMPLE));
            assertThatThrownBy(() -> isDeleted(victim, stale)).isInstanceOf(BackendException.class);
            assertThatThrownBy(() -> isExtended(victim, stale)).isInstanceOf(BackendException.class);
            assertThat(server.command("gets " + key("lock")).get(0)).isEqualTo(found);
            assertThat(next.renew(LEASE, AMPLE)).isTrue();
        }
    }

    @Test
    void anOldVersionChangesNothing() throws Exception {
        MemcachedClaim holder = claim(backend, "lock", LEASE);
        assertThat(holder.tryAcquire(AMPLE)).isTrue();
        VersionedItem before = read(holder);
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();

        assertThat(isExtended(holder, before)).isFalse();
        assertThat(isDeleted(holder, before)).isFalse();
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();
        assertThat(holder.release(AMPLE)).isTrue();
    }

    private static VersionedItem read(MemcachedClaim claim) {
        return CallDeadline.uninterruptibly("memcached", AMPLE, claim.item::read)
                .orElseThrow();
    }

    private static boolean isExtended(MemcachedClaim claim, VersionedItem found) {
        return CallDeadline.uninterruptibly(
                "memcached",
                Duration.ofSeconds(1),
                deadline -> claim.item.isDone(claim.item.extend(found, claim.request.lease(), deadline), deadline));
    }

    private static boolean isDeleted(MemcachedClaim claim, VersionedItem found) {
        return CallDeadline.uninterruptibly(
                "memcached", Duration.ofSeconds(1), deadline -> claim.item.isDone(claim.item.delete(found), deadline));
    }

    @Test
    void aForeignItemIsAnErrorAndIsLeftAlone() throws Exception {
        server.command("set " + key("lock") + " 0 0 5\nhello");
        MemcachedClaim claim = claim(backend, "lock", LEASE);

        assertThat(claim.tryAcquire(AMPLE)).isFalse();
        assertThatThrownBy(() -> claim.renew(LEASE, AMPLE)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> claim.release(AMPLE)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> backend.inspect("lock", AMPLE)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> backend.revoke("lock", "why", true, AMPLE)).isInstanceOf(BackendException.class);
        assertThat(server.command("get " + key("lock"))).contains("hello");
    }

    @Test
    void aServerWithoutVersionsIsRefused() {
        try (MemcachedServer without = MemcachedServer.start("-C");
                LockBackend refused = open(without.url())) {
            assertThatThrownBy(() -> claim(refused, "lock", LEASE).tryAcquire(Duration.ofSeconds(1)))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("-C");
            assertThat(without.counter("cmd_set")).isEqualTo(0);
        }
    }

    @Test
    void outOfMemoryIsAnErrorAndKeepsHeldLocks() throws Exception {
        try (MemcachedServer full = MemcachedServer.start("-M", "-m", "2", "-I", "512k");
                LockBackend other = open(full.url())) {
            MemcachedClaim holder = claim(other, "held", LONGER_THAN_FILLING);
            assertThat(holder.tryAcquire(AMPLE)).isTrue();
            fill(full);

            assertThatThrownBy(() -> claim(other, "lock", LEASE).tryAcquire(AMPLE))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("ut of memory");
            assertThatThrownBy(() -> holder.renew(LEASE, AMPLE)).isInstanceOf(BackendException.class);
            assertThat(isStored(full, "held")).isTrue();
            assertThat(holder.release(AMPLE)).isTrue();
        }
    }

    /** With items of the size of a lock's, until there is no place for one more. */
    private static void fill(MemcachedServer server) {
        String value = "x".repeat(100);
        for (int i = 0; ; i++) {
            String name = "mortise:filler~" + "0".repeat(56) + String.format("%08d", i);
            if (!server.command("set " + name + " 0 0 100\n" + value).get(0).equals("STORED")) {
                return;
            }
        }
    }

    @Test
    void aRevokedLockIsFreeWhenItsLeaseEndsAndNotBefore() throws Exception {
        Duration lease = Duration.ofSeconds(2);
        MemcachedClaim victim = claim(backend, "lock", lease);
        long asked = System.nanoTime();
        assertThat(victim.tryAcquire(AMPLE)).isTrue();

        assertThat(backend.revoke("lock", "the first reason", false, AMPLE)).isTrue();
        assertThat(backend.revoke("lock", "stuck since noon", false, AMPLE)).isTrue();
        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.loss().cause()).isEqualTo(LossCause.REVOKED);
        assertThat(victim.loss().detail()).isEqualTo("stuck since noon");
        assertThat(backend.inspect("lock", AMPLE).orElseThrow().revocationReason())
                .contains("stuck since noon");

        await().atMost(AMPLE).until(() -> !isStored(server, "lock"));
        assertThat(System.nanoTime() - asked)
                .isBetween(lease.toNanos(), lease.plusSeconds(3).toNanos());
    }

    @Test
    void anImmediateRevocationTellsTheHolderWhy() throws Exception {
        MemcachedClaim victim = claim(backend, "lock", LEASE);
        assertThat(victim.tryAcquire(AMPLE)).isTrue();

        assertThat(backend.revoke("lock", "the host is gone", true, AMPLE)).isTrue();
        MemcachedClaim next = claim(backend, "lock", LEASE);
        assertThat(next.tryAcquire(AMPLE)).isTrue();

        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.loss().cause()).isEqualTo(LossCause.REVOKED);
        assertThat(victim.loss().detail()).isEqualTo("the host is gone");
        assertThat(next.renew(LEASE, AMPLE)).isTrue();
        assertThat(next.loss().cause()).isEqualTo(LossCause.EVICTED_OR_DELETED);
    }

    @Test
    void aForeignValueInThePlaceOfARevocationIsRefusedByName() throws Exception {
        MemcachedClaim victim = revokedWithForeignReason();

        assertThatThrownBy(() -> victim.renew(LEASE, AMPLE))
                .isInstanceOfSatisfying(BackendException.class, refused -> assertThat(refused.kind())
                        .isEqualTo(BackendException.Kind.REFUSED))
                .hasMessageContaining(revocationKey(victim));
        assertThat(server.command("get " + revocationKey(victim))).contains("%zzzz");
    }

    @Test
    void aForeignValueInThePlaceOfARevocationDoesNotHinderOtherRenewals() throws Exception {
        MemcachedClaim victim = revokedWithForeignReason();
        MemcachedClaim other = claim(backend, "other", LEASE);
        assertThat(other.tryAcquire(AMPLE)).isTrue();

        assertThat(backend.renewAll(List.of(new Renewal(victim, LEASE), new Renewal(other, LEASE)), AMPLE))
                .containsExactly(Answer.UNKNOWN, Answer.YES);
    }

    private MemcachedClaim revokedWithForeignReason() throws Exception {
        MemcachedClaim victim = claim(backend, "lock", LEASE);
        assertThat(victim.tryAcquire(AMPLE)).isTrue();
        assertThat(backend.revoke("lock", "the host is gone", true, AMPLE)).isTrue();
        server.command("set " + revocationKey(victim) + " 0 0 5\n%zzzz");
        return victim;
    }

    private static String revocationKey(MemcachedClaim claim) {
        return new Keys(Keys.DEFAULT_PREFIX).revocation(claim.request.owner());
    }

    @Test
    void inspectTellsHowLongALockIsHeld() throws Exception {
        MemcachedClaim holder = claim(backend, "lock", LEASE);
        long asked = System.nanoTime();
        assertThat(holder.tryAcquire(AMPLE)).isTrue();
        await().pollDelay(Duration.ofSeconds(3)).until(() -> holder.renew(LEASE, AMPLE));
        try (LockBackend other = open(server.url())) {
            var told = other.inspect("lock", AMPLE).orElseThrow();
            long held = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - asked);

            assertThat(told.heldFor().toSeconds()).isBetween(held - 2, held + 2);
            assertThat(told.remaining().orElseThrow()).isBetween(LEASE.minusSeconds(3), LEASE);
        }
    }
}
