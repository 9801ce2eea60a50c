// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** O1, O2, O6: a server that goes away and comes back. */
class RestartTest {
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(12));

    @Test
    void aRestartThatKeepsDataKeepsLocksAndRenewalsGoOn() throws Exception {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
                LockClient client = LockClient.connect(server.url());
                RedisBackend other = Claims.open(server.url())) {
            List<Loss> losses = new CopyOnWriteArrayList<>();
            Lease lease = client.lock("kept", OPTIONS).acquire().onLost(losses::add);
            server.restart();

            // The question goes over a connection of before, and then over another one.
            refused(plain(other, "kept"));
            String key = Claims.keys("kept").lock();
            long end = endMillis(server, key);
            await().atMost(Duration.ofSeconds(10)).until(() -> endMillis(server, key) - end > 1000);
            lease.ensureHeld();
            assertThat(losses).isEmpty();
            assertThat(lease.release()).isTrue();
            Claim next = granted(plain(other, "kept"));
            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        }
    }

    @Test
    void aRestartThatLosesDataIsALossAndTokensGoOnRising() throws Exception {
        LockOptions shorter = LockOptions.defaults().withLease(Duration.ofSeconds(6));
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url())) {
            List<Loss> losses = new CopyOnWriteArrayList<>();
            Lease lease = client.lock("lost", shorter).acquire().onLost(losses::add);
            server.restartEmpty();

            await().atMost(Duration.ofSeconds(10)).until(() -> !losses.isEmpty());
            assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.EVICTED_OR_DELETED);
            assertThat(lease.isHeld()).isFalse();
            try (Lease next = client.lock("lost", shorter).acquire()) {
                assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            }
            assertThat(losses).hasSize(1);
        }
    }

    @Test
    void aWaiterGoesOnWaitingWhileTheServerIsDown() throws Exception {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
                LockClient holder = LockClient.connect(server.url());
                LockClient waiter = LockClient.connect(server.url())) {
            Lease lease = holder.lock("waited-for", OPTIONS).acquire();
            BackgroundTask<Lease> waiting = new BackgroundTask<>(
                    "waiter", () -> waiter.lock("waited-for").acquire());
            await().until(() ->
                    holder.lock("waited-for").holder().orElseThrow().waiters().orElse(0) == 1);
            server.kill();
            server.restart();

            assertThat(waiting.isDone()).isFalse();
            assertThat(lease.release()).isTrue();
            assertThat(waiting.get(Duration.ofSeconds(10)).release()).isTrue();
        }
    }

    @Test
    void aClientWaitsForAServerThatIsDownAtTheStart() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            server.stop();
            try (LockClient client = LockClient.connect(server.url())) {
                assertThatThrownBy(() -> client.lock(
                                        "early", LockOptions.defaults().withLease(Duration.ofMillis(500)))
                                .tryAcquire())
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("'early'");

                BackgroundTask<Lease> waiting = new BackgroundTask<>(
                        "waiter", () -> client.lock("early").acquire());
                server.restart();
                assertThat(waiting.get(Duration.ofSeconds(20)).release()).isTrue();
            }
        }
    }

    /** When the lock ends, in milliseconds: later after each renewal, whenever one looks. */
    private static long endMillis(RedisServer server, String key) {
        long left = Long.parseLong(String.valueOf(server.command("PTTL", key)));
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) + left;
    }
}
