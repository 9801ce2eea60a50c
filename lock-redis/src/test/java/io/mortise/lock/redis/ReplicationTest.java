// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.keys;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** O3: with {@code replicas=1}, what only an isolated master knows is neither a grant nor a renewal. */
class ReplicationTest {
    private static final String CONFIRMED = "?replicas=1&replicaTimeout=200ms";

    /** Long enough for a machine that is busy: where a grant has to be confirmed at once. */
    private static final String CONFIRMED_IN_TIME = "?replicas=1&replicaTimeout=1500ms";

    private RedisServer master;
    private TcpProxy link;
    private RedisServer replica;

    @BeforeEach
    void start() {
        master = RedisServer.start("--repl-diskless-sync-delay", "0");
        link = TcpProxy.to(master.host(), master.port());
        replica = RedisServer.start("--replicaof", link.host() + " " + link.port());
        await().atMost(Duration.ofSeconds(30)).until(() -> String.valueOf(master.command("INFO", "replication"))
                .contains("state=online"));
    }

    @AfterEach
    void stop() {
        replica.close();
        link.close();
        master.close();
    }

    @Test
    void aGrantIsInTheReplicaBeforeItIsAnswered() throws InterruptedException {
        try (RedisBackend backend = Claims.open(master.url() + CONFIRMED_IN_TIME)) {
            for (int i = 0; i < 50; i++) {
                Claim claim = granted(plain(backend, "confirmed"));
                assertThat(replica.command("EXISTS", keys("confirmed").lock())).isEqualTo(1L);
                claim.release(AMPLE);
            }
        }
    }

    @Test
    void aGrantThatTheReplicaDoesNotHaveIsGivenBack() throws InterruptedException {
        try (RedisBackend backend = Claims.open(master.url() + CONFIRMED)) {
            isolate();
            Claim claim = plain(backend, "unconfirmed");
            assertUnknown(() -> claim.tryAcquire(AMPLE)).hasMessageContaining("only 0 of 1 replicas");

            assertThat(master.command("EXISTS", keys("unconfirmed").lock())).isEqualTo(0L);
            promote();
            try (RedisBackend after = Claims.open(replica.url())) {
                granted(plain(after, "unconfirmed"));
            }
            assertThat(claim.release(AMPLE)).isFalse();
        }
    }

    @Test
    void grantsNeedTheReplica() throws InterruptedException {
        try (RedisBackend backend = Claims.open(master.url() + CONFIRMED_IN_TIME)) {
            Claim holder = granted(plain(backend, "held"));
            replica.stop();
            assertUnknown(() -> plain(backend, "other").tryAcquire(AMPLE)).hasMessageContaining("only 0 of 1 replicas");
            assertThat(backend.renewAll(Claims.renewals(holder), AMPLE)).containsExactly(Answer.UNKNOWN);
            assertThat(holder.release(AMPLE)).isTrue();

            replica.restart();
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> plain(backend, "other")
                    .tryAcquire(AMPLE));
        }
    }

    @Test
    void theHolderAtAnIsolatedMasterLosesBeforeTheNextGrant() throws Exception {
        try (RedisBackend backend = Claims.open(master.url() + CONFIRMED)) {
            assertThat(nanosBetweenLossAndNextGrant(backend)).isPositive();
        }
    }

    /** Confirming grants alone is a wrong lock: the isolated master goes on renewing what the replica has let expire. */
    @Test
    void confirmingGrantsButNotRenewalsLetsTwoIn() throws Exception {
        try (RedisBackend confirming = Claims.open(master.url() + CONFIRMED);
                RedisBackend trusting = Claims.open(master.url())) {
            LockBackend wrong = new ForwardingBackend(confirming) {
                private final AtomicReference<ClaimRequest> last = new AtomicReference<>();

                @Override
                public Claim claim(ClaimRequest request, Runnable nudge) {
                    last.set(request);
                    return super.claim(request, nudge);
                }

                @Override
                public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
                    Claim claim = trusting.claim(Objects.requireNonNull(last.get()), () -> {});
                    return trusting.renewAll(
                            List.of(new Renewal(claim, renewals.get(0).lease())), atMost);
                }
            };
            assertThatThrownBy(() -> nanosBetweenLossAndNextGrant(wrong))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("two holders");
        }
    }

    /** Nor is it right to confirm renewals, but not grants. */
    @Test
    void confirmingRenewalsButNotGrantsLetsTwoIn() throws Exception {
        isolate();
        promote();
        try (RedisBackend confirming = Claims.open(master.url() + CONFIRMED);
                RedisBackend trusting = Claims.open(master.url());
                RedisBackend after = Claims.open(replica.url())) {
            assertOneIsGranted(confirming, after, "confirmed");
            assertThatThrownBy(() -> assertOneIsGranted(trusting, after, "trusted"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("two holders");
        }
    }

    private static void assertOneIsGranted(RedisBackend before, RedisBackend after, String lock)
            throws InterruptedException {
        boolean grantedBefore;
        try {
            grantedBefore = plain(before, lock).tryAcquire(AMPLE);
        } catch (BackendException unconfirmed) {
            grantedBefore = false;
        }
        granted(plain(after, lock));
        assertThat(grantedBefore)
                .as("two holders: the isolated master has granted, too")
                .isFalse();
    }

    /** Isolates the master under a holder, promotes the replica, and takes the lock there as soon as it is free. */
    private long nanosBetweenLossAndNextGrant(LockBackend backend) throws Exception {
        AtomicLong lostAt = new AtomicLong();
        AtomicReference<Loss> loss = new AtomicReference<>();
        try (LockClient client = LockClient.builder(backend)
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(4)))
                .build()) {
            Lease lease = client.lock("isolated").acquire().onLost(why -> {
                lostAt.set(System.nanoTime());
                loss.set(why);
            });
            isolate();
            promote();
            try (RedisBackend after = Claims.open(replica.url())) {
                Claim next = after.claim(request("isolated", Duration.ofSeconds(20), false), () -> {});
                await().atMost(Duration.ofSeconds(20))
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> next.tryAcquire(AMPLE));
                long granted = System.nanoTime();
                assertThat(lease.isHeld())
                        .as("two holders: the lease of the isolated master's client is held")
                        .isFalse();
                await().atMost(Duration.ofSeconds(5)).until(() -> loss.get() != null);
                assertThat(loss.get()).extracting(Loss::cause).isEqualTo(LossCause.EXPIRED);
                return granted - lostAt.get();
            }
        }
    }

    /** Neither side hears the other any more, and neither notices. */
    private void isolate() {
        link.freeze();
    }

    private void promote() {
        replica.command("REPLICAOF", "NO", "ONE");
    }
}
