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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * P18 and H3: a holder whose server has lost touch with the majority and does not know it. The server goes on answering for eighty seconds, longer
 * than anything is waited for here, while the majority ends the holder's session after four and lets the next one in.
 */
@Timeout(300)
@SuppressWarnings("NullAway.Init") // made before each test
class PartitionTest {
    private static final String SESSION = "?sessionTimeout=4s";
    private static final LockOptions OPTIONS = LockOptions.defaults().lease(Duration.ofSeconds(3));

    static ZooKeeperEnsemble ensemble;

    private final String lock = Asking.name();

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
        return LockClient.builder(Asking.open("zookeeper://" + connectString + SESSION))
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
        try (Nodes nodes = new Nodes(ensemble.connectString())) {
            await().atMost(Asking.AMPLE).until(() -> nodes.line(lock).size() == 2);
        }
        return granted;
    }

    private static void assertIsAfter(CompletableFuture<Long> lost, long grantedAt) throws Exception {
        assertThat(grantedAt - lost.get(60, TimeUnit.SECONDS))
                .as("nanoseconds from the loss to the next grant")
                .isPositive();
    }

    @Test
    void aHolderWhoseServerIsCutOffFromTheLeaderHasLostBeforeTheNextOneHolds() throws Exception {
        ZooKeeperServer follower = ensemble.follower();
        ZooKeeperServer leader = ensemble.leader();
        try (LockClient holder = client(follower.connectString());
                LockClient next = client(leader.connectString());
                Nodes onlooker = new Nodes(follower.connectString())) {
            Lease lease = holder.lock(lock).acquire();
            String node = onlooker.line(lock).get(0);
            CompletableFuture<Long> granted = grantTo(next);
            CompletableFuture<Long> lost = endOf(lease);

            ensemble.cutOff(follower);

            long grantedAt = granted.get(60, TimeUnit.SECONDS);
            assertThat(onlooker.zooKeeper().exists(node, false))
                    .as("the node, as the holder's server still tells it")
                    .isNotNull();
            assertIsAfter(lost, grantedAt);
            ensemble.heal(); // else the end of the sessions is waited for
        }
    }

    @Test
    void aHolderWhoseServerLedAndWasDeposedHasLostBeforeTheNextOneHolds() throws Exception {
        ZooKeeperServer deposed = ensemble.leader();
        List<ZooKeeperServer> others =
                ensemble.servers().stream().filter(server -> server != deposed).toList();
        String majority = others.get(0).connectString() + "," + others.get(1).connectString();
        try (LockClient holder = client(deposed.connectString());
                LockClient next = client(majority);
                Nodes onlooker = new Nodes(deposed.connectString())) {
            Lease lease = holder.lock(lock).acquire();
            String node = onlooker.line(lock).get(0);
            CompletableFuture<Long> granted = grantTo(next);
            CompletableFuture<Long> lost = endOf(lease);

            // The others begin anew without it, and it does not hear that they have left.
            ensemble.cutOff(deposed);
            others.forEach(ZooKeeperServer::kill);
            others.forEach(ZooKeeperServer::restart);

            long grantedAt = granted.get(60, TimeUnit.SECONDS);
            onlooker.zooKeeper().sync(node);
            assertThat(onlooker.zooKeeper().exists(node, false))
                    .as("the node, as the deposed leader still tells it, synced with itself")
                    .isNotNull();
            assertIsAfter(lost, grantedAt);
            ensemble.heal(); // else the end of the sessions is waited for
        }
    }

    @Test
    void aHolderWhoseLeaderStandsStillHasLostBeforeTheNextOneHolds() throws Exception {
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
