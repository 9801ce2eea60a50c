// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.zookeeper.internal.node.LockPath;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The queue of a lock: which nodes count, how they are made, and what is left behind. */
@Timeout(120)
class QueueTest {
    private static final Duration LEASE = Duration.ofSeconds(20);

    static ZooKeeperServer server;
    static ZooKeeperBackend backend;
    static NodeAccess nodes;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
        backend = Fixtures.open(server.url());
        nodes = new NodeAccess(server.connectString());
    }

    @AfterAll
    static void stop() throws Exception {
        nodes.close();
        backend.close();
        server.close();
    }

    private static Claim held(String lock) throws InterruptedException {
        Claim claim = Fixtures.waiting(backend, lock, LEASE);
        assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();
        return claim;
    }

    /** B3. */
    @Test
    void foreignChildrenAreIgnored() throws Exception {
        String lock = Fixtures.name();
        held(lock).release(Fixtures.AMPLE);
        for (String foreign : List.of("config", "_c_0f8a6b1e-0000-4000-8000-000000000000-lock-", "lock-")) {
            CreateMode mode = foreign.endsWith("-") ? CreateMode.EPHEMERAL_SEQUENTIAL : CreateMode.PERSISTENT;
            nodes.zooKeeper().create(NodeAccess.queue(lock) + "/" + foreign, new byte[0], Ids.OPEN_ACL_UNSAFE, mode);
        }

        assertThat(backend.inspect(lock, Fixtures.AMPLE)).isEmpty();
        Claim plain = Fixtures.plain(backend, lock, LEASE);
        assertThat(plain.tryAcquire(Fixtures.AMPLE)).isTrue();
        assertThat(plain.release(Fixtures.AMPLE)).isTrue();
        assertThat(backend.list("", "", 100, Fixtures.AMPLE))
                .noneMatch(holder -> holder.lock().equals(lock));
    }

    /** P20, I8. */
    @Test
    void queuesOfUnusedNamesAreRemoved() throws Exception {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            names.add(Fixtures.name());
            assertThat(held(names.get(i)).release(Fixtures.AMPLE)).isTrue();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            for (String name : names) {
                if (nodes.zooKeeper().exists(NodeAccess.queue(name), false) != null) {
                    return false;
                }
            }
            return true;
        });
        assertThat(held(names.get(0)).release(Fixtures.AMPLE))
                .as("a queue that was removed")
                .isTrue();
    }

    /** P20: a container that never had a child would stay. */
    @Test
    void aQueueIsMadeTogetherWithItsFirstNode() throws Exception {
        String lock = Fixtures.name();
        Claim claim = held(lock);
        Stat queue = nodes.zooKeeper().exists(NodeAccess.queue(lock), false);
        Stat node = nodes.zooKeeper().exists(nodes.line(lock).get(0), false);

        assertThat(queue.getCzxid()).isEqualTo(node.getCzxid());
        claim.release(Fixtures.AMPLE);
    }

    /** C9. */
    @Test
    void aTryThatDoesNotWaitMakesNoNodeForABusyLock() throws Exception {
        String lock = Fixtures.name();
        Claim holder = held(lock);
        Stat before = nodes.zooKeeper().exists(NodeAccess.queue(lock), false);
        for (int i = 0; i < 5; i++) {
            assertThat(Fixtures.plain(backend, lock, LEASE).tryAcquire(Fixtures.AMPLE))
                    .isFalse();
        }
        assertThat(nodes.zooKeeper().exists(NodeAccess.queue(lock), false).getCversion())
                .isEqualTo(before.getCversion());
        holder.release(Fixtures.AMPLE);
    }

    @Test
    void aWaiterHasOneNodeHoweverOftenItTries() throws Exception {
        String lock = Fixtures.name();
        Claim holder = held(lock);
        Claim waiter = Fixtures.waiting(backend, lock, LEASE);
        for (int i = 0; i < 5; i++) {
            assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isFalse();
        }
        assertThat(nodes.line(lock)).hasSize(2);
        assertThat(holder.release(Fixtures.AMPLE)).isTrue();
        assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isTrue();
        assertThat(waiter.release(Fixtures.AMPLE)).isTrue();
    }

    /** The deletion of the first may be repeated at any time, if it was not answered. */
    @Test
    void aClaimsSecondNodeHasANewName() throws Exception {
        String lock = Fixtures.name();
        Claim claim = held(lock);
        String first = nodes.line(lock).get(0);
        nodes.deleteAll(lock);

        assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();
        assertThat(nodes.line(lock)).hasSize(1).doesNotContain(first);
        assertThat(claim.release(Fixtures.AMPLE)).isTrue();
        assertThat(nodes.line(lock)).isEmpty();
    }

    @Test
    void waitersThatComeAndGoLeaveNoWatches() throws Exception {
        String lock = Fixtures.name();
        Claim holder = held(lock);
        for (int i = 0; i < 50; i++) {
            Claim waiter = Fixtures.waiting(backend, lock, LEASE);
            assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isFalse();
            assertThat(waiter.release(Fixtures.AMPLE)).isFalse();
        }
        assertThat(server.counter("zk_watch_count")).isLessThan(10);
        holder.release(Fixtures.AMPLE);
    }

    /** P22. */
    @Test
    void theTokenComesFromTheZxidOfTheNodesCreation() throws Exception {
        String lock = Fixtures.name();
        Claim claim = held(lock);
        Stat node = nodes.zooKeeper().exists(nodes.line(lock).get(0), false);
        Stat base = new Stat();
        byte[] data = nodes.zooKeeper().getData("/mortise/token-base", false, base);

        assertThat(claim.fencingToken())
                .isEqualTo(TokenBase.of(new Session.Data(data, base)).token(node.getCzxid()));
        claim.release(Fixtures.AMPLE);
    }

    /** P22: such a try makes the queue anew, and its node in one transaction with it. */
    @Test
    void aTryThatDoesNotWaitHasItsTokenFromTheZxid() throws Exception {
        String lock = Fixtures.name();
        for (int i = 0; i < 3; i++) {
            Claim claim = Fixtures.plain(backend, lock, LEASE);
            assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();
            Stat node = nodes.zooKeeper().exists(nodes.line(lock).get(0), false);
            Stat base = new Stat();
            byte[] data = nodes.zooKeeper().getData("/mortise/token-base", false, base);

            assertThat(claim.fencingToken())
                    .isEqualTo(TokenBase.of(new Session.Data(data, base)).token(node.getCzxid()));
            assertThat(backend.inspect(lock, Fixtures.AMPLE).orElseThrow().fencingToken())
                    .isEqualTo(claim.fencingToken());
            assertThat(claim.release(Fixtures.AMPLE)).isTrue();
        }
    }

    /** I4: the client knows the base from an earlier grant, and another one raises it. */
    @Test
    void aRaisedBaseCountsForClientsThatKnewItBefore() throws Exception {
        String lock = Fixtures.name();
        try (ZooKeeperBackend other = Fixtures.open(server.url() + "?sessionTimeout=40s")) {
            for (int i = 0; i < 5; i++) {
                boolean waits = i % 2 == 0;
                Claim known = other.claim(Fixtures.request(Fixtures.name(), LEASE, waits), () -> {});
                assertThat(known.tryAcquire(Fixtures.AMPLE)).isTrue();
                Claim raising = held(lock);
                long high = raising.fencingToken() + 1_000_000;
                AtomicInteger nudges = new AtomicInteger();
                Claim waiter = Fixtures.waiting(other, lock, LEASE, nudges::incrementAndGet);
                if (waits) {
                    assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isFalse();
                }
                assertThat(raising.raiseToken(high, Fixtures.AMPLE)).isTrue();
                assertThat(raising.release(Fixtures.AMPLE)).isTrue();

                Claim next = waits ? waiter : Fixtures.plain(other, lock, LEASE);
                assertThat(next.tryAcquire(Fixtures.AMPLE)).isTrue();
                assertThat(next.fencingToken()).isGreaterThan(high);
                assertThat(other.inspect(lock, Fixtures.AMPLE).orElseThrow().fencingToken())
                        .isEqualTo(next.fencingToken());
                assertThat(next.release(Fixtures.AMPLE)).isTrue();
                assertThat(known.release(Fixtures.AMPLE)).isTrue();
            }
        }
    }

    /** I4: the queue may go, the base stays. */
    @Test
    void tokensStayAboveAFloorAfterTheQueueIsGone() throws Exception {
        String lock = Fixtures.name();
        long floor = held(lock).fencingToken() + (1L << 45);
        ClaimRequest usual = Fixtures.request(lock + "-2", LEASE, true);
        ClaimRequest request =
                new ClaimRequest(usual.lock(), usual.owner(), usual.label(), usual.lease(), true, floor, 100);
        Claim claim = backend.claim(request, () -> {});
        assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();
        assertThat(claim.fencingToken()).isGreaterThan(floor);
        assertThat(backend.inspect(usual.lock(), Fixtures.AMPLE).orElseThrow().fencingToken())
                .isEqualTo(claim.fencingToken());
        assertThat(claim.release(Fixtures.AMPLE)).isTrue();
        nodes.deleteAll(usual.lock());

        Claim next = held(usual.lock());
        assertThat(next.fencingToken()).isGreaterThan(claim.fencingToken() + 99);
        next.release(Fixtures.AMPLE);
    }

    /** P23. */
    @Test
    void blockedListenersDoNotBlockTheEventThread() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        LockListener slow = new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                try {
                    blocked.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        try (CuratorFramework client = Fixtures.curator(server.connectString(), Duration.ofSeconds(40));
                LockClient locks = LockClient.builder(ZooKeeperBackend.of(client))
                        .options(LockOptions.defaults().withLease(Duration.ofSeconds(6)))
                        .listener(slow)
                        .build()) {
            Lease lease = locks.lock(Fixtures.name()).acquire();
            lease.onLost(loss -> {
                try {
                    blocked.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThat(locks.lock(lease.lockName()).revoke("test")).isTrue();
            await().atMost(Duration.ofSeconds(30)).until(() -> !lease.isHeld());
            CountDownLatch answered = new CountDownLatch(1);
            client.checkExists()
                    .inBackground((unused, event) -> answered.countDown())
                    .forPath("/");

            assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
            blocked.countDown();
        }
    }

    @Test
    void aWaiterIsNudgedOnceWhenItsPredecessorGoes() throws Exception {
        String lock = Fixtures.name();
        Claim holder = held(lock);
        AtomicInteger nudges = new AtomicInteger();
        Claim waiter = Fixtures.waiting(backend, lock, LEASE, nudges::incrementAndGet);
        assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isFalse();
        assertThat(nudges).hasValue(0);
        holder.release(Fixtures.AMPLE);

        await().atMost(Fixtures.AMPLE).untilAtomic(nudges, org.hamcrest.Matchers.is(1));
        assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isTrue();
        waiter.release(Fixtures.AMPLE);
    }

    /** R3: the write with which it would take the lock must not undo the revocation. */
    @Test
    void aWaiterThatIsRevokedBeforeItLooksDoesNotGetTheLock() throws Exception {
        String lock = Fixtures.name();
        Claim holder = held(lock);
        AtomicInteger nudges = new AtomicInteger();
        Claim waiter = Fixtures.waiting(backend, lock, LEASE, nudges::incrementAndGet);
        assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isFalse();
        assertThat(holder.release(Fixtures.AMPLE)).isTrue();
        await().atMost(Fixtures.AMPLE).untilAtomic(nudges, org.hamcrest.Matchers.is(1));

        assertThat(backend.revoke(lock, "not now", false, Fixtures.AMPLE)).isTrue();

        assertThat(waiter.tryAcquire(Fixtures.AMPLE)).isFalse();
        waiter.release(Fixtures.AMPLE);
        assertThat(nodes.line(lock)).isEmpty();
    }

    /** R3: the note stays for the victim when the queue goes, and when somebody else comes before it looks. */
    @Test
    void aHolderThatIsRevokedAtOnceLearnsTheReason() throws Exception {
        String lock = Fixtures.name();
        Claim victim = held(lock);
        assertThat(backend.revoke(lock, "a reason\nof two lines", true, Fixtures.AMPLE))
                .isTrue();
        await().until(() -> nodes.zooKeeper().exists(NodeAccess.queue(lock), false) == null);
        Claim next = held(lock);
        assertThat(backend.revoke(lock, "another", true, Fixtures.AMPLE)).isTrue();

        assertThat(victim.renew(LEASE, Fixtures.AMPLE)).isFalse();
        assertThat(victim.loss().cause()).isEqualTo(LossCause.REVOKED);
        assertThat(victim.loss().detail()).isEqualTo("a reason\nof two lines");
        assertThat(victim.release(Fixtures.AMPLE)).isFalse();
        assertThat(next.renew(LEASE, Fixtures.AMPLE)).isFalse();
        assertThat(next.loss().detail()).isEqualTo("another");
    }

    @Test
    void locksThatAreRevokedTogetherHaveTheirOwnReasons() throws Exception {
        String shard = LockPath.of("a").shard();
        List<String> locks = Stream.iterate(0, i -> i + 1)
                .map(i -> "together-" + i)
                .filter(name -> LockPath.of(name).shard().equals(shard))
                .limit(8)
                .toList();
        List<Claim> victims = new ArrayList<>();
        for (String lock : locks) {
            victims.add(held(lock));
        }
        locks.parallelStream().forEach(lock -> backend.revoke(lock, "of " + lock, true, Fixtures.AMPLE));
        for (int i = 0; i < locks.size(); i++) {
            assertThat(victims.get(i).renew(LEASE, Fixtures.AMPLE)).isFalse();
            assertThat(victims.get(i).loss().detail()).isEqualTo("of " + locks.get(i));
        }
    }
}
