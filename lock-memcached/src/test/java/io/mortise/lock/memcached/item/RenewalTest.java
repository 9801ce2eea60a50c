// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import static io.mortise.lock.memcached.item.Claims.AMPLE;
import static io.mortise.lock.memcached.item.Claims.claim;
import static io.mortise.lock.memcached.item.Claims.isStored;
import static io.mortise.lock.memcached.item.Claims.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A renewal gives the item the lease that it is told, and a claim that was revoked tells whether it still holds. */
class RenewalTest {
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);

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

    private MemcachedClaim held(String lock, Duration lease) throws InterruptedException {
        MemcachedClaim claim = claim(backend, lock, lease);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        return claim;
    }

    private Duration remaining(String lock) {
        return backend.inspect(lock, AMPLE).orElseThrow().remaining().orElseThrow();
    }

    @Test
    void aLeaseRenewedToAShorterOneExpiresAfterThat() throws Exception {
        MemcachedClaim holder = held("lock", LEASE);
        long asked = System.nanoTime();
        assertThat(holder.renew(SHORT, AMPLE)).isTrue();

        await().atMost(AMPLE).until(() -> !isStored(server, "lock"));
        assertThat(System.nanoTime() - asked).isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    @Test
    void aLeaseRenewedToALongerOneOutlivesTheFirst() throws Exception {
        MemcachedClaim holder = held("lock", SHORT);
        MemcachedClaim control = held("control", SHORT);
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();

        await().atMost(AMPLE).until(() -> !isStored(server, "control"));
        assertThat(isStored(server, "lock")).isTrue();
        assertThat(control.renew(LEASE, AMPLE)).isFalse();
    }

    @Test
    void aBatchGivesEachClaimItsOwnLease() throws Exception {
        MemcachedClaim longer = held("longer", SHORT);
        MemcachedClaim shorter = held("shorter", LEASE);
        assertThat(backend.renewAll(
                        List.of(new Renewal(longer, LEASE.multipliedBy(2)), new Renewal(shorter, SHORT)), AMPLE))
                .containsExactly(Answer.YES, Answer.YES);

        assertThat(remaining("longer")).isGreaterThan(LEASE);
        await().atMost(AMPLE).until(() -> !isStored(server, "shorter"));
        assertThat(isStored(server, "longer")).isTrue();
    }

    @Test
    void aRepeatedTryGivesTheRequestsLeaseAgain() throws Exception {
        MemcachedClaim holder = held("lock", LEASE);
        assertThat(holder.renew(LEASE.multipliedBy(10), AMPLE)).isTrue();
        assertThat(holder.tryAcquire(AMPLE)).isTrue();

        assertThat(remaining("lock")).isLessThanOrEqualTo(LEASE);
    }

    @Test
    void aLeaseThatMemcachedWouldTakeForADateIsRefusedAndTheItemStays() throws Exception {
        MemcachedClaim holder = held("lock", LEASE);

        assertThatThrownBy(() -> holder.renew(Duration.ofDays(30), AMPLE)).isInstanceOf(IllegalArgumentException.class);
        assertThat(isStored(server, "lock")).isTrue();
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();
    }

    @Test
    void aClaimThatWasRevokedHoldsUntilItsLeaseEnds() throws Exception {
        MemcachedClaim victim = held("lock", LEASE);
        assertThat(backend.revoke("lock", "stuck", false, AMPLE)).isTrue();

        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).isTrue();
        assertThat(claim(backend, "lock", LEASE).tryAcquire(AMPLE)).isFalse();

        assertThat(backend.revoke("lock", "at once", true, AMPLE)).isTrue();
        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).isFalse();
        assertThat(victim.loss().detail()).isEqualTo("at once");
    }

    @Test
    void aClaimOfABatchThatWasRevokedHoldsUntilItsLeaseEnds() throws Exception {
        MemcachedClaim revoked = held("revoked", LEASE);
        MemcachedClaim freed = held("freed", LEASE);
        assertThat(backend.revoke("revoked", "stuck", false, AMPLE)).isTrue();
        assertThat(backend.revoke("freed", "stuck", true, AMPLE)).isTrue();

        assertThat(backend.renewAll(List.of(new Renewal(revoked, LEASE), new Renewal(freed, LEASE)), AMPLE))
                .containsExactly(Answer.NO, Answer.NO);
        assertThat(revoked.holdsUntilLeaseEnds()).isTrue();
        assertThat(freed.holdsUntilLeaseEnds()).isFalse();
    }

    @Test
    void aClaimWhoseItemIsGoneOrAnothersDoesNotHold() throws Exception {
        MemcachedClaim victim = held("lock", LEASE);
        assertThat(backend.revoke("lock", "stuck", false, AMPLE)).isTrue();
        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        server.command("delete " + Claims.key("lock"));
        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).isFalse();

        held("lock", LEASE);
        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).isFalse();
    }
}
