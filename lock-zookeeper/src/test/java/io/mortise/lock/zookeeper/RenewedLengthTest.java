// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static io.mortise.lock.zookeeper.Fixtures.AMPLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockHolder;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What renewals to another length and revocations leave to a holder, and for how long it is said to have held. */
@Timeout(180)
@SuppressWarnings("NullAway.Init") // made before each test
class RenewedLengthTest {
    private static final Duration LONG = Duration.ofSeconds(29);
    private static final Duration SHORT = Duration.ofMillis(500);

    static ZooKeeperServer server;

    private final String lock = Fixtures.name();
    private ZooKeeperBackend backend;
    private NodeAccess nodes;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() throws Exception {
        backend = Fixtures.open(server.url() + "?sessionTimeout=40s");
        nodes = new NodeAccess(server.connectString());
    }

    @AfterEach
    void close() {
        nodes.close();
        backend.close();
    }

    private Claim held(String name, Duration lease) throws InterruptedException {
        Claim claim = Fixtures.waiting(backend, name, lease);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        return claim;
    }

    private void awaitFree(String name) {
        await().atMost(LONG.dividedBy(2)).until(() -> nodes.line(name).isEmpty());
    }

    private static void awaitPassed(Duration time, long since) {
        await().atMost(LONG).until(() -> System.nanoTime() - since > time.toNanos());
    }

    @Test
    void aLongerLeaseIsNotEndedWhenTheOneOfTheGrantWouldHave() throws Exception {
        Claim claim = held(lock, Duration.ofSeconds(2));
        long asked = System.nanoTime();
        assertThat(claim.renew(LONG, AMPLE)).isTrue();
        assertThat(claim.leaseSpent()).isLessThan(LONG.dividedBy(2));
        awaitPassed(Duration.ofSeconds(4), asked);
        assertThat(nodes.line(lock)).hasSize(1);
        assertThat(claim.renew(LONG, AMPLE)).isTrue();
    }

    @Test
    void aShorterLeaseEndsEarlier() throws Exception {
        Claim claim = held(lock, LONG);
        assertThat(claim.renew(SHORT, AMPLE)).isTrue();
        awaitFree(lock);
        assertThat(claim.renew(LONG, AMPLE)).isFalse();
        assertThat(claim.loss().cause()).isEqualTo(LossCause.EXPIRED);
    }

    @Test
    void aBatchHasALengthForEachClaim() throws Exception {
        String other = Fixtures.name();
        Claim one = held(lock, SHORT.multipliedBy(4));
        Claim two = held(other, LONG);
        long asked = System.nanoTime();
        assertThat(backend.renewAll(List.of(new Renewal(one, LONG), new Renewal(two, SHORT)), AMPLE))
                .containsExactly(Answer.YES, Answer.YES);
        awaitFree(other);
        awaitPassed(Duration.ofSeconds(4), asked);
        assertThat(nodes.line(lock)).hasSize(1);
    }

    @Test
    void noLeaseIsLongerThanTheSessionHoweverLongItWasToBe() throws Exception {
        Duration session = Duration.ofSeconds(4);
        Duration day = Duration.ofDays(1);
        try (ZooKeeperBackend brief = Fixtures.open(server.url() + "?sessionTimeout=4s")) {
            Claim claim = Fixtures.waiting(brief, lock, Duration.ofSeconds(3));
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(claim.renew(day, AMPLE)).isTrue();
            assertThat(day.minus(claim.leaseSpent())).isLessThan(session);
            assertThat(brief.renewAll(List.of(new Renewal(claim, day)), AMPLE)).containsExactly(Answer.YES);
            assertThat(day.minus(claim.leaseSpent())).isLessThan(session);
            assertThat(brief.leaseBounds().allow(session)).isFalse();
            assertThat(brief.leaseBounds().outlivesHolder()).isFalse();
        }
    }

    @Test
    void whoIsRevokedHoldsUntilTheLeaseEnds() throws Exception {
        Claim claim = held(lock, LONG);
        assertThat(claim.renew(Duration.ofSeconds(8), AMPLE)).isTrue();
        assertThat(backend.revoke(lock, "soon", false, AMPLE)).isTrue();
        for (int i = 0; i < 2; i++) {
            assertThat(claim.renew(LONG, AMPLE)).isFalse();
            assertThat(claim.loss().detail()).isEqualTo("soon");
            assertThat(claim.holdsUntilLeaseEnds()).isTrue();
        }
        assertThat(claim.raiseToken(claim.fencingToken(), AMPLE)).isTrue();
        assertThat(backend.claims().grantOf(NodeAccess.queue(lock)))
                .as("what the guard writes by")
                .isNotNull();
        awaitFree(lock);
        assertThat(backend.claims().grantOf(NodeAccess.queue(lock))).isNull();
        assertThat(claim.renew(LONG, AMPLE)).isFalse();
        assertThat(claim.loss().cause()).isEqualTo(LossCause.REVOKED);
        assertThat(claim.holdsUntilLeaseEnds()).isFalse();
        assertThat(claim.release(AMPLE)).isFalse();
    }

    @Test
    void whoIsRevokedAndReleasesHeldUntilThen() throws Exception {
        Claim claim = held(lock, LONG);
        assertThat(backend.revoke(lock, "soon", false, AMPLE)).isTrue();
        assertThat(claim.renew(LONG, AMPLE)).isFalse();
        assertThat(claim.release(AMPLE)).isTrue();
        assertThat(claim.holdsUntilLeaseEnds()).isFalse();
        assertThat(nodes.line(lock)).isEmpty();
    }

    @Test
    void whoIsRevokedAtOnceOrDeletedHoldsNoMore() throws Exception {
        Claim revoked = held(lock, LONG);
        assertThat(backend.revoke(lock, "soon", false, AMPLE)).isTrue();
        assertThat(revoked.renew(LONG, AMPLE)).isFalse();
        assertThat(backend.revoke(lock, "now", true, AMPLE)).isTrue();
        assertThat(revoked.renew(LONG, AMPLE)).isFalse();
        assertThat(revoked.loss().detail()).isEqualTo("now");
        assertThat(revoked.holdsUntilLeaseEnds()).isFalse();

        Claim deleted = held(lock, LONG);
        assertThat(backend.revoke(lock, "soon", false, AMPLE)).isTrue();
        assertThat(deleted.renew(LONG, AMPLE)).isFalse();
        nodes.deleteFirst(lock);
        assertThat(deleted.renew(LONG, AMPLE)).isFalse();
        assertThat(deleted.holdsUntilLeaseEnds()).isFalse();
    }

    @Test
    void theTimeHeldCountsFromTheGrantAndNotFromTheWaitOrTheRenewal() throws Exception {
        Claim first = held(lock, LONG);
        Claim next = Fixtures.waiting(backend, lock, LONG);
        assertThat(next.tryAcquire(AMPLE)).isFalse();
        long waits = System.nanoTime();
        awaitPassed(Duration.ofSeconds(2), waits);
        long granted = System.nanoTime();
        assertThat(first.release(AMPLE)).isTrue();
        assertThat(next.tryAcquire(AMPLE)).isTrue();

        assertThat(holder().heldFor()).isLessThanOrEqualTo(since(granted));
        assertThat(backend.revoke(lock, "changes the node's data", false, AMPLE))
                .isTrue();
        assertThat(holder().heldFor()).isLessThanOrEqualTo(since(granted));

        awaitPassed(Duration.ofSeconds(2), granted);
        assertThat(next.renew(LONG, AMPLE)).isFalse();
        assertThat(holder().heldFor()).isGreaterThan(Duration.ofSeconds(1));
        assertThat(holder().remaining()).as("only the holder knows").isEmpty();
    }

    private LockHolder holder() {
        return backend.inspect(lock, AMPLE).orElseThrow();
    }

    /** Clocks of the wall count milliseconds. */
    private static Duration since(long moment) {
        return Duration.ofNanos(System.nanoTime() - moment).plusMillis(2);
    }
}
