// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.servers.ZooKeeperEnsemble;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * P18 and H3: the holder's server has lost touch with the majority and does not know it. It goes on answering for eighty
 * seconds, longer than any wait here, while the majority ends the holder's session after four and grants the lock to the next.
 */
@Timeout(300)
@SuppressWarnings("NullAway.Init") // made before each test
class PartitionTest {
    private static final String SESSION = "?sessionTimeout=4s";
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(3));

    static ZooKeeperEnsemble ensemble;

    private final String lock = Fixtures.name();

    @BeforeAll
    static void start() {
        ensemble = ZooKeeperEnsemble.start("tickTime=200", "syncLimit=400", "initLimit=25");
    }

    @AfterAll
    static void stop() {
        ensemble.close();
    }

    @AfterEach
    void heal() {
        ensemble.heal();
        ensemble.restartMissing();
    }

    private static LockClient client(String connectString) {
        return LockClient.builder(Fixtures.open("zookeeper://" + connectString + SESSION))
                .options(OPTIONS)
                .build();
    }

    /** When a lease was no longer held, as its holder saw it. */
    private static CompletableFuture<Long> endOf(Lease lease) {
        return CompletableFuture.supplyAsync(() -> {
            while (lease.isHeld()) {
                Thread.onSpinWait();
            }
            return System.nanoTime();
        });
    }

    /** When the next one got the lock, as it saw it. */
    private CompletableFuture<Long> grantTo(LockClient next) throws Exception {
        CompletableFuture<Long> granted = next.lock(lock)
                .tryAcquireAsync(Duration.ofMinutes(1))
                .thenApply(lease -> {
                    assertThat(lease).isPresent();
                    return System.nanoTime();
                });
        try (NodeAccess nodes = new NodeAccess(ensemble.connectString())) {
            await().atMost(Fixtures.AMPLE).until(() -> nodes.line(lock).size() == 2);
        }
        return granted;
    }

    private static void assertIsAfter(CompletableFuture<Long> lost, long grantedAt) throws Exception {
        assertThat(grantedAt - lost.get(60, TimeUnit.SECONDS))
                .as("nanoseconds from the loss to the next grant")
                .isPositive();
    }

    private interface Disturbance {
        void run() throws Exception;
    }

    /** A server loses touch with the others, and goes on telling its client that the holder's node is there. */
    private void assertLostBeforeTheNextGrant(
            ZooKeeperServer server, String majority, Disturbance cutOff, Consumer<NodeAccess> beforeReading)
            throws Exception {
        try (LockClient holder = client(server.connectString());
                LockClient next = client(majority);
                NodeAccess nodes = new NodeAccess(server.connectString())) {
            Lease lease = holder.lock(lock).acquire();
            String node = nodes.line(lock).get(0);
            CompletableFuture<Long> granted = grantTo(next);
            CompletableFuture<Long> lost = endOf(lease);

            cutOff.run();

            long grantedAt = granted.get(60, TimeUnit.SECONDS);
            beforeReading.accept(nodes);
            assertThat(nodes.zooKeeper().exists(node, false))
                    .as("the node, as the holder's server still reports it")
                    .isNotNull();
            assertIsAfter(lost, grantedAt);
            ensemble.heal(); // else the end of the sessions is waited for
        }
    }

    @Test
    void aHolderCutOffFromTheLeaderLosesBeforeTheNextGrant() throws Exception {
        ZooKeeperServer follower = ensemble.follower();
        String leader = ensemble.leader().connectString();

        assertLostBeforeTheNextGrant(follower, leader, () -> ensemble.cutOff(follower), nodes -> {});
    }

    /** The others begin anew without the deposed leader, and it does not hear that they have left. */
    @Test
    void aHolderBehindADeposedLeaderLosesBeforeTheNextGrant() throws Exception {
        ZooKeeperServer deposed = ensemble.leader();
        List<ZooKeeperServer> others =
                ensemble.servers().stream().filter(server -> server != deposed).toList();
        String majority = others.get(0).connectString() + "," + others.get(1).connectString();

        assertLostBeforeTheNextGrant(
                deposed,
                majority,
                () -> {
                    ensemble.cutOff(deposed);
                    others.forEach(ZooKeeperServer::kill);
                    others.forEach(ZooKeeperServer::restart);
                },
                nodes -> nodes.sync(lock)); // with itself
    }

    @Test
    void aHolderBehindAPausedLeaderLosesBeforeTheNextGrant() throws Exception {
        ZooKeeperServer leader = ensemble.leader();
        List<ZooKeeperServer> followers =
                ensemble.servers().stream().filter(server -> server != leader).toList();
        try (LockClient holder = client(followers.get(0).connectString());
                LockClient next = client(followers.get(1).connectString())) {
            Lease lease = holder.lock(lock).acquire();
            CompletableFuture<Long> granted = grantTo(next);
            CompletableFuture<Long> lost = endOf(lease);

            leader.pause();
            try {
                lost.get(60, TimeUnit.SECONDS);
            } finally {
                leader.resume();
            }

            assertIsAfter(lost, granted.get(60, TimeUnit.SECONDS));
        }
    }
}
