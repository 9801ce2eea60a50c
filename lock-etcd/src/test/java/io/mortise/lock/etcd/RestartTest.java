// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.servers.EtcdServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is left when the only member of a cluster is started again. */
class RestartTest {
    private static final Duration LEASE = Duration.ofSeconds(25);
    private static final Duration AMPLE = Duration.ofSeconds(20);

    private static EtcdServer server;

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Claim claim(LockBackend backend, String lock, char owner) {
        ClaimRequest request = new ClaimRequest(lock, String.valueOf(owner).repeat(32), "test", LEASE, true, 0, 1);
        return backend.claim(request, () -> {});
    }

    @Test
    void locksAreKeptWithTheData() throws Exception {
        try (LockBackend backend = Keys.open(server.url())) {
            Claim holder = claim(backend, "kept", 'a');
            assertThat(holder.tryAcquire(AMPLE)).isTrue();
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
            Claim holder = claim(backend, "lost", 'a');
            assertThat(holder.tryAcquire(AMPLE)).isTrue();
            // The clock of the first base counts seconds.
            long begun = System.nanoTime();
            await().atMost(AMPLE).until(() -> System.nanoTime() - begun > 1_100_000_000L);
            server.restartEmpty();
            await("it answers")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> !holder.renew(LEASE, AMPLE));
            assertThat(holder.loss().cause()).isEqualTo(LossCause.EVICTED_OR_DELETED);

            Claim next = claim(other, "lost", 'b');
            assertThat(next.tryAcquire(AMPLE)).isTrue();
            assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
            // This one knows how the tokens were counted before.
            assertThat(next.release(AMPLE)).isTrue();
            Claim again = claim(backend, "lost", 'c');
            assertThat(again.tryAcquire(AMPLE)).isTrue();
            assertThat(again.fencingToken()).isGreaterThan(next.fencingToken());
        }
    }
}
