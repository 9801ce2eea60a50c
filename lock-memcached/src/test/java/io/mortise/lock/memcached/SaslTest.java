// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import static io.mortise.lock.memcached.item.Claims.AMPLE;
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
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server that asks for a user and a password. */
class SaslTest {
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    static MemcachedServer server;

    @BeforeAll
    static void start() {
        server = MemcachedServer.startWithPassword("ann", "open sesame");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String url(String credentials) {
        return server.url().replace("//", "//" + credentials + "@");
    }

    @Test
    void theRightPasswordIsAcceptedAlsoAfterARestart() throws Exception {
        try (LockBackend backend = open(url("ann:open%20sesame"))) {
            MemcachedClaim claim = claim(backend, "lock", LEASE);
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(claim(backend, "lock", LEASE).tryAcquire(AMPLE)).isFalse();
            assertThat(claim.renew(LEASE, AMPLE)).isTrue();

            server.restartEmpty();
            MemcachedClaim next = claim(backend, "lock", LEASE);
            await().atMost(AMPLE).ignoreExceptions().until(() -> next.tryAcquire(PATIENCE));
            assertThat(next.release(AMPLE)).isTrue();
        }
    }

    @Test
    void aWrongPasswordIsARefusalThatDoesNotShowIt() {
        try (LockClient locks = LockClient.connect(url("ann:closed%20sesame"))) {
            // With the wait of a lease, were it taken for silence.
            assertThatThrownBy(() -> locks.lock("lock").acquire())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining(server.host() + ":" + server.port())
                    .hasMessageContaining("rejects the user and the password; correct them")
                    .hasMessageNotContaining("sesame");
        }
    }

    @Test
    void aMissingPasswordIsReported() {
        try (LockBackend backend = open(server.url())) {
            assertThatThrownBy(() -> claim(backend, "lock", LEASE).tryAcquire(PATIENCE))
                    .isInstanceOfSatisfying(BackendException.class, refusal -> assertThat(refusal.kind())
                            .isEqualTo(BackendException.Kind.REFUSED))
                    .hasMessageContaining("user and a password");
        }
    }

    @Test
    void aFailedAuthenticationLeavesNoThread() {
        Set<Thread> before = DriverThreads.running();
        LockBackend backend = open(url("ann:closed%20sesame"));
        assertThatThrownBy(() -> claim(backend, "lock", LEASE).tryAcquire(PATIENCE))
                .isInstanceOf(BackendException.class);
        backend.close();
        DriverThreads.awaitOnly(before);
    }
}
