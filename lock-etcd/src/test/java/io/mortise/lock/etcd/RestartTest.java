// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import static io.mortise.lock.etcd.Claims.AMPLE;
import static io.mortise.lock.etcd.Claims.LEASE;
import static io.mortise.lock.etcd.Claims.claim;
import static io.mortise.lock.etcd.Claims.holding;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.servers.EtcdServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is left when the only member of a cluster is started again. */
class RestartTest {
    private static EtcdServer server;

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void locksAreKeptWithTheData() throws Exception {
        try (LockBackend backend = Keys.open(server.url())) {
            Claim holder = holding(backend, "kept", 'a');
            server.kill();
            server.restart();
            await("it answers")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> holder.renew(LEASE, AMPLE));
            assertThat(claim(backend, "kept", 'b').tryAcquire(AMPLE)).isFalse();
            assertThat(holder.release(AMPLE)).isTrue();
        }
    }

    @Test
    void locksAreLostWithTheDataAndTokensRiseAllTheSame() throws Exception {
        try (LockBackend backend = Keys.open(server.url());
                LockBackend other = Keys.open(server.url())) {
            Claim holder = holding(backend, "lost", 'a');
            // The clock of the first base counts seconds.
            long begun = System.nanoTime();
            await().atMost(AMPLE).until(() -> System.nanoTime() - begun > 1_100_000_000L);
            server.restartEmpty();
            await("it answers")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> !holder.renew(LEASE, AMPLE));
            assertThat(holder.loss().cause()).isEqualTo(LossCause.EVICTED_OR_DELETED);

            Claim next = holding(other, "lost", 'b');
            assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
            // This one knows how the tokens were counted before.
            assertThat(next.release(AMPLE)).isTrue();
            Claim again = holding(backend, "lost", 'c');
            assertThat(again.fencingToken()).isGreaterThan(next.fencingToken());
        }
    }
}
