// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** F5, H3, H4, H10, J1, J5 and J6 on the wire: replies that a network delivers late, in order and in whole. */
class DelayedRepliesTest {
    private static final LockOptions LASTING = LockOptions.defaults().withLease(Duration.ofSeconds(60));
    private RedisServer server;
    private TcpProxy network;
    private RedisBackend other;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        network = TcpProxy.to(server.host(), server.port());
        other = Claims.open(server.url());
    }

    @AfterEach
    void stop() {
        other.close();
        network.close();
        server.close();
    }

    /** F5. The call may take longer than the lease, so that its reply is heard, and is worth nothing. */
    @Test
    void aGrantThatIsAnsweredAfterItsLeaseDoesNotCount() throws InterruptedException {
        Duration lease = Duration.ofMillis(600);
        try (LockClient client = LockClient.builder(Claims.open(behindTheNetwork("")))
                .options(LockOptions.defaults().withLease(lease))
                .callTimeout(Duration.ofSeconds(3))
                .build()) {
            client.lock("warm").tryAcquire().orElseThrow().release();
            network.delayReplies(Duration.ofMillis(1_200));

            assertThatThrownBy(() -> client.lock("late").tryAcquire()).isInstanceOf(LockStoreException.class);
            Claim next = plain(other, "late");
            await().atMost(Duration.ofSeconds(10)).until(() -> next.tryAcquire(AMPLE));
            network.heal();
            assertThat(next.renew(LEASE, AMPLE)).isTrue();
        }
    }

    /** J1: the next try of the same claim finds the grant that was not heard of in time. */
    @Test
    void aGrantThatIsAnsweredAfterTheCallIsFoundAgain() throws InterruptedException {
        try (RedisBackend backend = Claims.open(behindTheNetwork("?connections=1"))) {
            granted(plain(backend, "warm")).release(AMPLE);
            Claim claim = plain(backend, "lock");
            network.delayReplies(Duration.ofSeconds(1));
            assertUnknown(() -> claim.tryAcquire(Duration.ofMillis(200)));
            refused(plain(other, "lock"));
            network.heal();

            granted(claim);
            assertThat(claim.release(AMPLE)).isTrue();
        }
    }

    /** J5: what arrives when its call is over is nobody's answer, though there is but one connection. */
    @Test
    void aLateReplyIsNotTakenForTheNextCalls() throws InterruptedException {
        try (RedisBackend backend = Claims.open(behindTheNetwork("?connections=1"))) {
            Claim held = granted(plain(backend, "held"));
            Claim busy = granted(plain(other, "busy"));
            for (int i = 0; i < 10; i++) {
                network.delayReplies(Duration.ofMillis(500));
                // Each would have been answered otherwise than the calls that follow.
                assertUnknown(() -> plain(backend, "free").tryAcquire(Duration.ofMillis(50)));
                network.heal();
                refused(plain(backend, "busy"));
                assertThat(held.renew(LEASE, AMPLE)).isTrue();
                assertThat(backend.inspect("nobody's", AMPLE)).isEmpty();
            }
            assertThat(busy.release(AMPLE)).isTrue();
            assertThat(held.release(AMPLE)).isTrue();
        }
    }

    /** H4: renewals that are slow, but come in time, lose nothing. */
    @Test
    void slowRepliesWithinTheLeaseLoseNothing() throws Exception {
        List<Loss> losses = new CopyOnWriteArrayList<>();
        try (LockClient client = LockClient.builder(Claims.open(behindTheNetwork("")))
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(9)))
                .build()) {
            Lease lease = client.lock("slow").acquire().onLost(losses::add);
            network.delayReplies(Duration.ofMillis(300)); // a new connection has several, and the renewal three seconds
            for (int renewals = 0; renewals < 2; renewals++) {
                // A third of the lease is over, so a renewal is on its way; and then there is more again.
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> lease.remaining().toMillis() < 5_900);
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> lease.remaining().toMillis() > 6_500);
            }
            assertThat(losses).isEmpty();
            network.heal();
            assertThat(lease.release()).isTrue();
        }
    }

    /** H3, H10: the holder has lost when its lease ends, and a reply that arrives later changes nothing. */
    @Test
    void aRenewalThatIsAnsweredAfterTheLeaseDoesNotCount() throws Exception {
        List<Loss> losses = new CopyOnWriteArrayList<>();
        try (LockClient client = LockClient.builder(Claims.open(behindTheNetwork("")))
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(3)))
                .callTimeout(Duration.ofSeconds(20))
                .build()) {
            Lease lease = client.lock("late").acquire().onLost(losses::add);
            network.freezeReplies();
            await().atMost(Duration.ofSeconds(20)).until(() -> !losses.isEmpty());
            assertThat(lease.isHeld()).isFalse();
            network.heal();

            Claim next = plain(other, "late");
            await().atMost(Duration.ofSeconds(20)).until(() -> next.tryAcquire(AMPLE));
            assertThat(lease.isHeld()).isFalse();
            assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.EXPIRED);
            assertThat(next.renew(LEASE, AMPLE)).isTrue();
        }
    }

    /** J6: the lock becomes free while the waiter's time ends, and every reply takes a while. */
    @Test
    void aGrantAtTheEndOfTheWaitIsTheCallersOrNobodys() throws Exception {
        Duration wait = Duration.ofMillis(400);
        int theirs = 0;
        try (LockClient holder = LockClient.connect(server.url());
                LockClient waiter = LockClient.connect(behindTheNetwork(""))) {
            waiter.lock("warm").tryAcquire(wait).orElseThrow().release();
            network.delayReplies(Duration.ofMillis(20));
            for (int i = 0; i < 16; i++) {
                String lock = "lock-" + i;
                Lease held = holder.lock(lock, LASTING).acquire();
                long end = System.nanoTime() + wait.toNanos();
                BackgroundTask<Optional<Lease>> waiting = new BackgroundTask<>(
                        "waiter", () -> waiter.lock(lock, LASTING).tryAcquire(wait));
                long at = end + Duration.ofMillis(5L * (i - 11)).toNanos();
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> System.nanoTime() - at > 0);
                assertThat(held.release()).isTrue();

                Optional<Lease> lease = waiting.get(Duration.ofSeconds(20));
                if (lease.isPresent()) {
                    theirs++;
                    assertThat(lease.get().isHeld()).isTrue();
                    refused(plain(other, lock));
                    assertThat(lease.get().release()).isTrue();
                }
                Claim next = plain(other, lock);
                await().atMost(Duration.ofSeconds(20)).until(() -> next.tryAcquire(AMPLE));
            }
        }
        assertThat(theirs).as("moments before the end").isPositive();
    }

    private String behindTheNetwork(String options) {
        return "redis://" + network.host() + ":" + network.port() + options;
    }
}
