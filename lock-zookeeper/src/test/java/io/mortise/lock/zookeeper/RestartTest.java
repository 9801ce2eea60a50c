// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.servers.ZooKeeperEnsemble;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Restarts of servers, with and without their data. */
@Timeout(180)
class RestartTest {
    /** For servers, which start slowly on a busy machine. */
    private static final String LONG_SESSIONS = "maxSessionTimeout=600000";

    private static final Duration LONG = Duration.ofSeconds(110);
    private static final long SECOND = 1_000_000_000;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(MINUTE);

    /** O1. */
    @Test
    void aRestartWithDataKeepsLocksAndWaiters() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start(LONG_SESSIONS);
                LockClient holder = client(server.url());
                LockClient waiter = client(server.url())) {
            Lease lease = holder.lock("a").acquire();
            CompletableFuture<Lease> waiting = waiter.lock("a").acquireAsync();
            try (NodeAccess nodes = new NodeAccess(server.connectString())) {
                await().atMost(Fixtures.AMPLE).until(() -> nodes.line("a").size() == 2);
            }

            server.kill();
            server.restart();

            assertThat(lease.isHeld()).isTrue();
            long before = end(lease);
            await().atMost(MINUTE).until(() -> end(lease) - before > SECOND);
            assertThat(lease.isHeld()).isTrue();
            assertThat(waiting).isNotDone();
            assertThat(lease.release()).isTrue();
            assertThat(waiting.get(30, TimeUnit.SECONDS).fencingToken()).isGreaterThan(lease.fencingToken());
        }
    }

    /** O2. */
    @Test
    void aRestartWithoutDataLosesLocksAndTokensStillRise() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                LockClient holder = LockClient.builder(Fixtures.open(server.url() + "?sessionTimeout=12s"))
                        .options(LockOptions.defaults().withLease(Duration.ofSeconds(9)))
                        .build()) {
            Lease lease = holder.lock("a").acquire();
            CompletableFuture<Loss> loss = new CompletableFuture<>();
            lease.onLost(loss::complete);

            server.restartEmpty();

            // The server refuses a client that has seen more than it has: the session ends for want of a connection.
            assertThat(loss.get(60, TimeUnit.SECONDS).cause()).isIn(LossCause.EXPIRED, LossCause.SESSION_LOST);
            Lease next = holder.lock("a").tryAcquire(MINUTE).orElseThrow();
            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            next.close();
        }
    }

    /** O1: all of them at once, as in a power cut. */
    @Test
    void aRestartOfAllServersKeepsLocks() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start(LONG_SESSIONS);
                ZooKeeperBackend backend = Fixtures.open(ensemble.url() + "?sessionTimeout=150s")) {
            Claim holder = Fixtures.waiting(backend, "a", LONG);
            assertThat(holder.tryAcquire(Fixtures.AMPLE)).isTrue();

            ensemble.servers().forEach(ZooKeeperServer::kill);
            ensemble.restartMissing();

            assertThat(holder.renew(MINUTE, MINUTE)).isTrue();
            assertThat(holder.release(MINUTE)).isTrue();
        }
    }

    /** O2: what one of three has lost the others know. */
    @Test
    void aLeaderThatLosesItsDataLosesNoLocks() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start(LONG_SESSIONS);
                ZooKeeperBackend backend = Fixtures.open(ensemble.url() + "?sessionTimeout=150s");
                ZooKeeperBackend other = Fixtures.open(ensemble.url() + "?sessionTimeout=150s")) {
            Claim holder = Fixtures.waiting(backend, "a", LONG);
            assertThat(holder.tryAcquire(Fixtures.AMPLE)).isTrue();

            ensemble.leader().restartEmpty();
            ensemble.restartMissing();

            assertThat(Fixtures.plain(other, "a", LONG).tryAcquire(MINUTE)).isFalse();
            assertThat(holder.renew(MINUTE, MINUTE)).isTrue();
            assertThat(holder.release(MINUTE)).isTrue();
            Claim next = Fixtures.waiting(other, "a", LONG);
            assertThat(next.tryAcquire(MINUTE)).isTrue();
            assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
        }
    }

    /** When the lease ends, in nanoseconds: later after each renewal, whenever one looks. */
    private static long end(Lease lease) {
        return System.nanoTime() + lease.remaining().toNanos();
    }

    private static LockClient client(String url) {
        // A server that is just starting may swallow a request; the client waits a third of this for the answer.
        return LockClient.builder(Fixtures.open(url + "?sessionTimeout=90s"))
                .options(OPTIONS)
                .build();
    }
}
