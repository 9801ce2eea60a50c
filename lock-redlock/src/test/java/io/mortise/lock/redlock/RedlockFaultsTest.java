// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static io.mortise.lock.redlock.Stores.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P6, P11, O2: five real servers, some of which hang, die, lose their data, or are the same server. */
@Timeout(120)
class RedlockFaultsTest {
    private static final Duration AMPLE = Duration.ofSeconds(10);
    private final Five five = Five.start();

    @BeforeEach
    void allAnswer() throws InterruptedException {
        try (LockBackend backend = open(five.url())) {
            Claim claim = Stores.claim(backend, "warm-up");
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            claim.release(AMPLE);
        }
    }

    @AfterEach
    void stop() {
        five.close();
    }

    @Test
    void withoutAMajorityAcquiringFailsInTimeAndNamesTheDeadMembers() {
        five.get(0).kill();
        five.get(2).kill();
        five.get(4).kill();
        try (LockClient client = LockClient.connect(five.url())) {
            LockOptions options = LockOptions.defaults().withLease(Duration.ofSeconds(2));
            for (int i = 0; i < 3; i++) {
                int which = i;
                long began = System.nanoTime();
                assertThatThrownBy(() -> {
                            switch (which) {
                                case 0 -> client.lock("dead", options).tryAcquire();
                                case 1 -> client.lock("dead", options).tryAcquire(Duration.ofSeconds(1));
                                default -> client.lock("dead", options).acquire();
                            }
                        })
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContainingAll(
                                Five.address(five.get(0)), Five.address(five.get(2)), Five.address(five.get(4)))
                        .hasMessageNotContaining(Five.address(five.get(1)));
                assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(15));
            }
        }
    }

    @Test
    void aMinorityThatHangsCostsNoTimeout() throws Exception {
        Duration patience = Duration.ofSeconds(10);
        try (LockBackend backend = open(five.url() + "&memberTimeout=10s")) {
            Claim before = Stores.claim(backend, "hanging");
            assertThat(before.tryAcquire(patience.multipliedBy(4))).isTrue();
            before.release(patience);
            five.get(3).pause();
            five.get(4).pause();
            long began = System.nanoTime();
            Claim claim = Stores.claim(backend, "hanging");
            assertThat(claim.tryAcquire(patience.multipliedBy(4))).isTrue();
            assertThat(claim.renew(LEASE, patience.multipliedBy(4))).isTrue();
            assertThat(claim.release(patience.multipliedBy(4))).isTrue();
            assertThat(System.nanoTime() - began).isLessThan(patience.toNanos());
            five.forEachAlive(RedisServer::resume);
        }
    }

    @Test
    void aMajorityThatHangsCostsOneTimeout() throws Exception {
        try (LockBackend backend = open(five.url() + "&memberTimeout=300ms")) {
            for (int i = 0; i < 3; i++) {
                five.get(i).pause();
            }
            long began = System.nanoTime();
            assertThatThrownBy(() -> Stores.claim(backend, "hanging").tryAcquire(Duration.ofSeconds(30)))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining(Five.address(five.get(0)));
            assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(10));
        } finally {
            five.forEachAlive(RedisServer::resume);
        }
    }

    @Test
    void aMemberThatForgetsIsHealedAndTheLeaseGoesOn() throws Exception {
        try (LockClient client = LockClient.connect(five.url())) {
            Lease lease = client.lock("healed", LockOptions.defaults().withLease(Duration.ofSeconds(6)))
                    .acquire();
            five.get(1).restartEmpty();

            await("the member has the lock again")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> Long.valueOf(1).equals(five.get(1).command("EXISTS", Five.key("healed"))));
            lease.ensureHeld();
            assertThat(lease.release()).isTrue();
        }
    }

    @Test
    void aRenewedLengthIsThatOfTheServersThatAreLeftAndARevokedHolderKeepsIt() throws Exception {
        five.get(0).kill();
        five.get(3).kill();
        Duration half = LEASE.dividedBy(2);
        try (LockBackend backend = open(five.url())) {
            Claim claim = Stores.claim(backend, "renewed");
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(claim.renew(half, AMPLE)).isTrue();
            assertThat(remaining(backend, "renewed")).isLessThanOrEqualTo(half);
            assertThat(claim.renew(LEASE, AMPLE)).isTrue();
            assertThat(remaining(backend, "renewed")).isBetween(half, LEASE);

            assertThat(backend.revoke("renewed", "soon", false, AMPLE)).isTrue();
            assertThat(claim.renew(LEASE, AMPLE)).isFalse();
            assertThat(claim.holdsUntilLeaseEnds()).isTrue();
            assertThat(backend.revoke("renewed", "now", true, AMPLE)).isTrue();
            assertThat(claim.renew(LEASE, AMPLE)).isFalse();
            assertThat(claim.holdsUntilLeaseEnds()).isFalse();
        }
    }

    private static Duration remaining(LockBackend backend, String lock) {
        return backend.inspect(lock, AMPLE).orElseThrow().remaining().orElseThrow();
    }

    @Test
    void aMajorityThatForgetsIsALossAtTheNextRenewal() throws Exception {
        try (LockBackend backend = open(five.url())) {
            Claim claim = Stores.claim(backend, "forgotten");
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            for (int i = 0; i < 3; i++) {
                five.get(i).restartEmpty();
            }

            await("a majority has answered")
                    .atMost(Duration.ofSeconds(30))
                    .ignoreExceptionsInstanceOf(BackendException.class)
                    .until(() -> !claim.renew(LEASE, AMPLE));
            assertThat(claim.loss().cause()).isEqualTo(LossCause.EVICTED_OR_DELETED);
        }
    }

    @Test
    void aMemberThatForgotALeaseHasNoVote() throws Exception {
        String strict = "?longestLease=8s&clockBound=1s&restartDelay=9s";
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            addresses.add(Five.address(five.get(i)));
        }
        try (TcpProxy fourth = TcpProxy.to(five.get(3).host(), five.get(3).port());
                TcpProxy fifth = TcpProxy.to(five.get(4).host(), five.get(4).port())) {
            addresses.set(3, fourth.host() + ":" + fourth.port());
            addresses.set(4, fifth.host() + ":" + fifth.port());
            try (LockBackend holders = open(Five.urlWithRestartDelay(addresses) + strict);
                    LockBackend others = open(five.urlWithRestartDelay() + strict)) {
                fourth.cut();
                fifth.cut();
                Claim holder = holders.claim(Stores.request("kept", Duration.ofSeconds(8)), () -> {});
                await("the servers have run for long enough to vote")
                        .atMost(Duration.ofSeconds(40))
                        .ignoreExceptionsInstanceOf(BackendException.class)
                        .until(() -> holder.tryAcquire(AMPLE));
                long granted = System.nanoTime();
                five.get(2).restartEmpty();

                Claim second = others.claim(Stores.request("kept", Duration.ofSeconds(8)), () -> {});
                int refused = 0;
                boolean admitted = false;
                while (!admitted && System.nanoTime() - granted < TimeUnit.SECONDS.toNanos(4)) {
                    try {
                        admitted = second.tryAcquire(AMPLE);
                    } catch (BackendException undecided) {
                        assertThat(undecided).hasMessageContaining(addresses.get(2));
                    }
                    refused++;
                }
                assertThat(admitted && System.nanoTime() - granted < TimeUnit.SECONDS.toNanos(8))
                        .isFalse();
                assertThat(refused).isPositive();
                assertThatThrownBy(() -> holder.release(AMPLE))
                        .as("two have released, one has forgotten, two are cut off")
                        .isInstanceOf(BackendException.class);
                await("four members are enough").atMost(AMPLE).until(() -> second.tryAcquire(AMPLE));
                assertThat(second.fencingToken()).isGreaterThan(holder.fencingToken());
                second.release(AMPLE);
            }
        }
    }

    @Test
    void twoAddressesOfOneServerAreRefusedAtConnect() {
        try (TcpProxy again = TcpProxy.to(five.get(0).host(), five.get(0).port())) {
            String url = "redlock://" + Five.address(five.get(0)) + "," + again.host() + ":" + again.port() + ","
                    + Five.address(five.get(1));
            assertThatThrownBy(() -> LockClient.connect(url))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContainingAll(
                            "one server under two addresses", ":" + again.port(), "remove one of them");
        }
    }

    @Test
    void twoAddressesOfOneServerAreRefusedWhenThatIsKnown() throws Exception {
        try (TcpProxy again = TcpProxy.to(five.get(0).host(), five.get(0).port())) {
            again.cut();
            try (LockClient client = LockClient.connect("redlock://" + Five.address(five.get(0)) + "," + again.host()
                    + ":" + again.port() + "," + Five.address(five.get(1)) + "?newQuorum=true")) {
                again.heal();
                await("the second address has answered").atMost(AMPLE).untilAsserted(() -> assertThatThrownBy(
                                () -> client.lock("twice").acquire().release())
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContainingAll("one server under two addresses", ":" + again.port()));
            }
        }
    }

    private static LockBackend open(String url) {
        return BackendSelection.open(StoreUrl.parse(url), Set.of());
    }
}
