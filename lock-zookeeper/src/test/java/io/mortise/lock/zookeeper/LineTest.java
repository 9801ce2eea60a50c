// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stands in line, what does not, and what is left behind. */
@Timeout(120)
class LineTest {
    private static final Duration LEASE = Duration.ofSeconds(20);

    static ZooKeeperServer server;
    static ZooKeeperBackend backend;
    static Nodes nodes;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
        backend = Asking.open(server.url());
        nodes = new Nodes(server.connectString());
    }

    @AfterAll
    static void stop() throws Exception {
        nodes.close();
        backend.close();
        server.close();
    }

    private static Claim held(String lock) throws InterruptedException {
        Claim claim = Asking.waiting(backend, lock, LEASE);
        assertThat(claim.tryAcquire(Asking.AMPLE)).isTrue();
        return claim;
    }

    /** B3. */
    @Test
    void childrenThatAreNotOursAreIgnored() throws Exception {
        String lock = Asking.name();
        held(lock).release(Asking.AMPLE);
        for (String foreign : List.of("config", "_c_0f8a6b1e-0000-4000-8000-000000000000-lock-", "lock-")) {
            CreateMode mode = foreign.endsWith("-") ? CreateMode.EPHEMERAL_SEQUENTIAL : CreateMode.PERSISTENT;
            nodes.zooKeeper().create(Nodes.queue(lock) + "/" + foreign, new byte[0], Ids.OPEN_ACL_UNSAFE, mode);
        }

        assertThat(backend.inspect(lock, Asking.AMPLE)).isEmpty();
        Claim plain = Asking.plain(backend, lock, LEASE);
        assertThat(plain.tryAcquire(Asking.AMPLE)).isTrue();
        assertThat(plain.release(Asking.AMPLE)).isTrue();
        assertThat(backend.list("", "", 100, Asking.AMPLE))
                .noneMatch(holder -> holder.lock().equals(lock));
    }

    /** P20, I8. */
    @Test
    void namesUsedOnceLeaveNothing() throws Exception {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            names.add(Asking.name());
            assertThat(held(names.get(i)).release(Asking.AMPLE)).isTrue();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            for (String name : names) {
                if (nodes.zooKeeper().exists(Nodes.queue(name), false) != null) {
                    return false;
                }
            }
            return true;
        });
        assertThat(held(names.get(0)).release(Asking.AMPLE))
                .as("a queue that was removed")
                .isTrue();
    }

    /** P20: a container that never had a child would stay. */
    @Test
    void noQueueIsEverWithoutANode() throws Exception {
        String lock = Asking.name();
        Claim claim = held(lock);
        Stat queue = nodes.zooKeeper().exists(Nodes.queue(lock), false);
        Stat node = nodes.zooKeeper().exists(nodes.line(lock).get(0), false);

        assertThat(queue.getCzxid()).isEqualTo(node.getCzxid());
        claim.release(Asking.AMPLE);
    }

    /** C9. */
    @Test
    void aPlainTryOfABusyLockMakesNoNode() throws Exception {
        String lock = Asking.name();
        Claim holder = held(lock);
        Stat before = nodes.zooKeeper().exists(Nodes.queue(lock), false);
        for (int i = 0; i < 5; i++) {
            assertThat(Asking.plain(backend, lock, LEASE).tryAcquire(Asking.AMPLE))
                    .isFalse();
        }
        assertThat(nodes.zooKeeper().exists(Nodes.queue(lock), false).getCversion())
                .isEqualTo(before.getCversion());
        holder.release(Asking.AMPLE);
    }

    @Test
    void aWaiterStandsInLineOnceHoweverOftenItLooks() throws Exception {
        String lock = Asking.name();
        Claim holder = held(lock);
        Claim waiter = Asking.waiting(backend, lock, LEASE);
        for (int i = 0; i < 5; i++) {
            assertThat(waiter.tryAcquire(Asking.AMPLE)).isFalse();
        }
        assertThat(nodes.line(lock)).hasSize(2);
        assertThat(holder.release(Asking.AMPLE)).isTrue();
        assertThat(waiter.tryAcquire(Asking.AMPLE)).isTrue();
        assertThat(waiter.release(Asking.AMPLE)).isTrue();
    }

    /** The deletion of the first may be repeated at any time, if it was not answered. */
    @Test
    void aNodeThatAClaimMakesAnewHasANameThatNoneHadBefore() throws Exception {
        String lock = Asking.name();
        Claim claim = held(lock);
        String first = nodes.line(lock).get(0);
        nodes.deleteAll(lock);

        assertThat(claim.tryAcquire(Asking.AMPLE)).isTrue();
        assertThat(nodes.line(lock)).hasSize(1).doesNotContain(first);
        assertThat(claim.release(Asking.AMPLE)).isTrue();
        assertThat(nodes.line(lock)).isEmpty();
    }

    @Test
    void waitersThatComeAndGoLeaveNoWatches() throws Exception {
        String lock = Asking.name();
        Claim holder = held(lock);
        for (int i = 0; i < 50; i++) {
            Claim waiter = Asking.waiting(backend, lock, LEASE);
            assertThat(waiter.tryAcquire(Asking.AMPLE)).isFalse();
            assertThat(waiter.release(Asking.AMPLE)).isFalse();
        }
        assertThat(server.counter("zk_watch_count")).isLessThan(10);
        holder.release(Asking.AMPLE);
    }

    /** P22. */
    @Test
    void theTokenIsMadeOfTheZxidOfTheNodesCreation() throws Exception {
        String lock = Asking.name();
        Claim claim = held(lock);
        Stat node = nodes.zooKeeper().exists(nodes.line(lock).get(0), false);
        Stat base = new Stat();
        byte[] data = nodes.zooKeeper().getData("/mortise/token-base", false, base);

        assertThat(claim.fencingToken()).isEqualTo(TokenBase.of(data, base).token(node.getCzxid()));
        claim.release(Asking.AMPLE);
    }

    /** I4: the queue may go, the base stays. */
    @Test
    void tokensRiseAboveAFloorAlsoAfterTheQueueIsGone() throws Exception {
        String lock = Asking.name();
        long floor = held(lock).fencingToken() + (1L << 45);
        ClaimRequest usual = Asking.request(lock + "-2", LEASE, true);
        ClaimRequest request =
                new ClaimRequest(usual.lock(), usual.owner(), usual.label(), usual.lease(), true, floor, 100);
        Claim claim = backend.claim(request, () -> {});
        assertThat(claim.tryAcquire(Asking.AMPLE)).isTrue();
        assertThat(claim.fencingToken()).isGreaterThan(floor);
        assertThat(backend.inspect(usual.lock(), Asking.AMPLE).orElseThrow().fencingToken())
                .isEqualTo(claim.fencingToken());
        assertThat(claim.release(Asking.AMPLE)).isTrue();
        nodes.deleteAll(usual.lock());

        Claim next = held(usual.lock());
        assertThat(next.fencingToken()).isGreaterThan(claim.fencingToken() + 99);
        next.release(Asking.AMPLE);
    }

    /** P23. */
    @Test
    void listenersThatBlockDoNotBlockTheEventThread() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        LockListener slow = new LockListener() {
            @Override
            public void acquired(String lock, Duration waited) {
                try {
                    blocked.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        try (CuratorFramework client = Asking.curator(server.connectString(), Duration.ofSeconds(40));
                LockClient locks = LockClient.builder(ZooKeeperBackend.of(client))
                        .options(LockOptions.defaults().lease(Duration.ofSeconds(6)))
                        .listener(slow)
                        .build()) {
            Lease lease = locks.lock(Asking.name()).acquire();
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
    void aNudgeComesOnceThePredecessorIsGone() throws Exception {
        String lock = Asking.name();
        Claim holder = held(lock);
        AtomicInteger nudges = new AtomicInteger();
        Claim waiter = Asking.waiting(backend, lock, LEASE, nudges::incrementAndGet);
        assertThat(waiter.tryAcquire(Asking.AMPLE)).isFalse();
        assertThat(nudges).hasValue(0);
        holder.release(Asking.AMPLE);

        await().atMost(Asking.AMPLE).untilAtomic(nudges, org.hamcrest.Matchers.is(1));
        assertThat(waiter.tryAcquire(Asking.AMPLE)).isTrue();
        waiter.release(Asking.AMPLE);
    }

    /** R3. */
    @Test
    void whoIsThrownOutAtOnceLearnsTheReason() throws Exception {
        String lock = Asking.name();
        Claim victim = held(lock);
        assertThat(backend.revoke(lock, "a reason\nof two lines", true, Asking.AMPLE))
                .isTrue();

        assertThat(victim.renew(Asking.AMPLE)).isFalse();
        assertThat(victim.loss().detail()).isEqualTo("a reason\nof two lines");
        assertThat(victim.release(Asking.AMPLE)).isFalse();
    }
}
