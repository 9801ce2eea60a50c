// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import static io.mortise.lock.memcached.item.Claims.AMPLE;
import static io.mortise.lock.memcached.item.Claims.CALL;
import static io.mortise.lock.memcached.item.Claims.claim;
import static io.mortise.lock.memcached.item.Claims.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.memcached.item.MemcachedClaim;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that was restarted has forgotten its locks; with {@code restartDelay} it grants none before they have ended. */
@Timeout(120)
class RestartDelayTest {
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final String OPTION = "?restartDelay=8s";

    /** Both clients knew the server before; the second sees the restart as soon as it is connected again. */
    @Test
    void afterARestartNobodyGetsALockThatIsStillHeld() throws Exception {
        try (MemcachedServer server = MemcachedServer.start();
                LockBackend one = open(server.url() + OPTION);
                LockBackend other = open(server.url() + OPTION)) {
            MemcachedClaim holder = claim(one, "a", LEASE);
            await().atMost(AMPLE.multipliedBy(2)).ignoreExceptions().until(() -> holder.tryAcquire(CALL));
            assertThat(claim(other, "a", LEASE).tryAcquire(AMPLE)).isFalse();
            assertThat(holder.renew(LEASE, AMPLE)).isTrue();
            long renewed = System.nanoTime();

            server.restartEmpty();

            MemcachedClaim next = claim(other, "a", LEASE);
            await().atMost(AMPLE.multipliedBy(2)).ignoreExceptions().until(() -> next.tryAcquire(CALL));
            assertThat(Duration.ofNanos(System.nanoTime() - renewed)).isGreaterThanOrEqualTo(LEASE);
        }
    }

    @Test
    void aServerThatWasJustStartedSaysForHowLongItGrantsNothing() throws Exception {
        try (MemcachedServer server = MemcachedServer.start();
                LockBackend careful = open(server.url() + "?restartDelay=1h");
                LockBackend careless = open(server.url())) {
            assertThatThrownBy(() -> claim(careful, "a", LEASE).tryAcquire(AMPLE))
                    .isInstanceOfSatisfying(BackendException.class, young -> assertThat(young.kind())
                            .isEqualTo(BackendException.Kind.NO_ANSWER))
                    .hasMessageContaining(server.host() + ":" + server.port() + " was started ")
                    .hasMessageContaining("restartDelay")
                    .hasMessageMatching(".*another 3[56]\\d\\d s");
            MemcachedClaim claim = claim(careless, "a", LEASE);
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(claim.renew(LEASE, AMPLE)).isTrue();
            assertThat(claim.release(AMPLE)).isTrue();
        }
    }

    @Test
    void leasesThatTheDelayDoesNotCoverAreRefused() {
        try (MemcachedServer server = MemcachedServer.start()) {
            assertThatThrownBy(() -> LockClient.connect(server.url() + "?restartDelay=20s&mortise.lease=21s"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("PT20S");
            assertThatThrownBy(() -> LockClient.connect(server.url() + "?restartDelay=10ms"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("restartDelay");
            assertThatThrownBy(() -> LockClient.connect(server.url() + "?restartDelay=soon"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("restartDelay");
        }
    }
}
