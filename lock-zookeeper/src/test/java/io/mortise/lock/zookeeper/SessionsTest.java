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
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the end of a session, or an outage, does to locks. */
@Timeout(300)
class SessionsTest {
    private static final Duration SESSION = Duration.ofSeconds(4);
    private static final Duration LEASE = Duration.ofSeconds(3);

    private static final int TIMES = Integer.getInteger("mortise.zookeeper.sessions", 50);

    private static final Duration LONG_SESSION = Duration.ofMinutes(10);
    private static final Duration LONG_LEASE = Duration.ofSeconds(400);
    private static final int TOLD_AT_ONCE = Integer.getInteger("mortise.zookeeper.told", 2);

    static ZooKeeperServer server;

    /** Its sessions may be so long that no renewal is due in a test. */
    static ZooKeeperServer patient;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start();
        patient = ZooKeeperServer.start("maxSessionTimeout=600000");
    }

    @AfterAll
    static void stop() {
        server.close();
        patient.close();
    }

    /** P17. */
    @Test
    void aGrantIsByANodeOfTheCurrentSession() throws Exception {
        String lock = Fixtures.name();
        try (CuratorFramework client = Fixtures.curator(server.connectString(), SESSION);
                ZooKeeperBackend backend = ZooKeeperBackend.of(client);
                NodeAccess nodes = new NodeAccess(server.connectString())) {
            Claim claim = Fixtures.waiting(backend, lock, LEASE);
            assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();

            Stat stat = nodes.zooKeeper().exists(nodes.line(lock).get(0), false);
            assertThat(stat.getEphemeralOwner())
                    .isEqualTo(client.getZookeeperClient().getZooKeeper().getSessionId());
            assertThat(claim.release(Fixtures.AMPLE)).isTrue();
            assertThat(nodes.line(lock)).isEmpty();
        }
    }

    /** H5. Clients side by side, since each waits most of the time. */
    @Test
    void fiftyTimesASessionEndsAndTheLockIsLostAndAcquiredAnew() throws Exception {
        List<CompletableFuture<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            clients.add(CompletableFuture.supplyAsync(() -> endSessions(TIMES / 10), task -> new Thread(task).start()));
        }
        int told = 0;
        for (CompletableFuture<Integer> client : clients) {
            told += client.get(4, TimeUnit.MINUTES);
        }
        // On a slow machine a lease can be over before its client hears of the session's end.
        assertThat(told).isGreaterThan(TIMES / 5);
    }

    /** How often the end of the session was told as such. */
    private static int endSessions(int times) {
        String lock = Fixtures.name();
        Set<Long> sessions = new HashSet<>();
        long token = 0;
        int told = 0;
        try (CuratorFramework client = Fixtures.curator(server.connectString(), SESSION);
                LockClient locks = LockClient.builder(ZooKeeperBackend.of(client))
                        .options(LockOptions.defaults().withLease(LEASE))
                        .build()) {
            for (int i = 0; i < times; i++) {
                Lease lease = locks.lock(lock).tryAcquire(Fixtures.AMPLE).orElseThrow();
                CompletableFuture<Loss> loss = new CompletableFuture<>();
                lease.onLost(loss::complete);
                assertThat(lease.fencingToken()).isGreaterThan(token);
                token = lease.fencingToken();
                assertThat(sessions.add(
                                client.getZookeeperClient().getZooKeeper().getSessionId()))
                        .as("a new session for acquisition %s", i)
                        .isTrue();

                Fixtures.endSession(client, server.connectString());

                LossCause cause = loss.get(20, TimeUnit.SECONDS).cause();
                assertThat(cause).isIn(LossCause.SESSION_LOST, LossCause.EXPIRED);
                told += cause == LossCause.SESSION_LOST ? 1 : 0;
                assertThat(lease.isHeld()).isFalse();
                assertThat(lease.release()).isFalse();
            }
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
        return told;
    }

    /** H5: its next renewal would come after two minutes, and its lease ends after six. */
    @Test
    void aHolderIsToldAtOnceThatItsSessionHasEnded() throws Exception {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < TOLD_AT_ONCE; i++) {
            ZooKeeperBackend backend = Fixtures.open(patient.url() + "?sessionTimeout=600s");
            try (LockClient locks = client(backend)) {
                Lease lease = locks.lock(Fixtures.name()).acquire();
                CompletableFuture<Long> told = new CompletableFuture<>();
                CompletableFuture<Loss> loss = new CompletableFuture<>();
                lease.onLost(why -> {
                    told.complete(System.nanoTime());
                    loss.complete(why);
                });

                long ended = Fixtures.closeSession(backend.client(), patient.connectString());

                assertThat(loss.get(30, TimeUnit.SECONDS).cause()).isEqualTo(LossCause.SESSION_LOST);
                assertThat(lease.isHeld()).isFalse();
                times.add(Duration.ofNanos(told.get() - ended));
            }
        }
        System.out.println("the holder was told of its session's end after " + times);
    }

    /** The application closes the client under our feet, and with it ends the session. */
    @Test
    void aHolderIsToldAtOnceThatTheApplicationHasClosedItsClient() throws Exception {
        CuratorFramework client = Fixtures.curator(patient.connectString(), LONG_SESSION);
        client.blockUntilConnected();
        try (client;
                LockClient locks = client(ZooKeeperBackend.of(client))) {
            Lease lease = locks.lock(Fixtures.name()).acquire();
            CompletableFuture<Loss> loss = new CompletableFuture<>();
            lease.onLost(loss::complete);

            client.close();

            assertThat(loss.get(30, TimeUnit.SECONDS).cause()).isEqualTo(LossCause.SESSION_LOST);
            assertThat(lease.isHeld()).isFalse();
        }
    }

    private static LockClient client(ZooKeeperBackend backend) {
        return LockClient.builder(backend)
                .options(LockOptions.defaults().withLease(LONG_LEASE))
                .build();
    }

    /** K8. */
    @Test
    void aWaiterWhoseSessionEndsEntersTheQueueAgain() throws Exception {
        String lock = Fixtures.name();
        try (CuratorFramework client = Fixtures.curator(server.connectString(), SESSION);
                LockClient waiter = LockClient.builder(ZooKeeperBackend.of(client))
                        .options(LockOptions.defaults().withLease(LEASE))
                        .build();
                ZooKeeperBackend other = Fixtures.open(server.url() + "?sessionTimeout=40s");
                NodeAccess nodes = new NodeAccess(server.connectString())) {
            Claim holder = Fixtures.waiting(other, lock, Duration.ofSeconds(30));
            assertThat(holder.tryAcquire(Fixtures.AMPLE)).isTrue();
            // With a limit, a wait outlasts any outage: a session's end may take longer than a lease to be noticed.
            var waiting = waiter.lock(lock).tryAcquireAsync(Duration.ofMinutes(2));
            await().atMost(Fixtures.AMPLE).until(() -> nodes.line(lock).size() == 2);
            String first = nodes.line(lock).get(1);

            Fixtures.endSession(client, server.connectString());

            await().atMost(Fixtures.AMPLE)
                    .until(() -> nodes.line(lock).size() == 2
                            && !nodes.line(lock).get(1).equals(first));
            assertThat(waiting).isNotDone();
            assertThat(holder.release(Fixtures.AMPLE)).isTrue();
            waiting.get().orElseThrow().close();
        }
    }

    /** P18, H4. */
    @Test
    void aShortOutageIsARiskAndNoLoss() throws Exception {
        String lock = Fixtures.name();
        try (LockClient locks = LockClient.builder(Fixtures.open(server.url() + "?sessionTimeout=12s"))
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(9)))
                .build()) {
            Lease lease = locks.lock(lock).acquire();
            CompletableFuture<Duration> risk = new CompletableFuture<>();
            CompletableFuture<Loss> loss = new CompletableFuture<>();
            lease.onAtRisk(risk::complete).onLost(loss::complete);

            server.pause();
            try {
                assertThat(risk.get(20, TimeUnit.SECONDS)).isPositive();
            } finally {
                server.resume();
            }

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> loss.isDone() || lease.remaining().compareTo(Duration.ofSeconds(5)) > 0);
            assertThat(loss).isNotDone();
            assertThat(lease.release()).isTrue();
        }
    }

    /** P18, H3. */
    @Test
    void aLongOutageLosesTheLeaseAtItsEnd() throws Exception {
        String lock = Fixtures.name();
        try (LockClient locks = LockClient.builder(Fixtures.open(server.url() + "?sessionTimeout=4s"))
                .options(LockOptions.defaults().withLease(LEASE))
                .build()) {
            Lease lease = locks.lock(lock).acquire();
            CompletableFuture<Loss> loss = new CompletableFuture<>();
            lease.onLost(loss::complete);

            server.pause();
            try {
                assertThat(loss.get(10, TimeUnit.SECONDS).cause()).isEqualTo(LossCause.EXPIRED);
            } finally {
                server.resume();
            }

            Optional<Lease> again = locks.lock(lock).tryAcquire(Fixtures.AMPLE);
            assertThat(again).isPresent();
            assertThat(again.get().fencingToken()).isGreaterThan(lease.fencingToken());
        }
    }
}
