// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;

/** Makes backends, claims and clients for tests. */
final class Fixtures {
    static final Duration AMPLE = Duration.ofSeconds(10);
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Fixtures() {}

    /** A name of one test's own. */
    static String name() {
        return "lock-" + COUNT.incrementAndGet();
    }

    static ZooKeeperBackend open(String url) {
        return (ZooKeeperBackend) new ZooKeeperBackendProvider().open(StoreUrl.parse(url));
    }

    static ClaimRequest request(String lock, Duration lease, boolean waits) {
        String owner = UUID.randomUUID().toString().replace("-", "");
        return new ClaimRequest(lock, owner, "test", lease, waits, 0, 1);
    }

    /** A claim that enters the queue. */
    static Claim waiting(LockBackend backend, String lock, Duration lease) {
        return backend.claim(request(lock, lease, true), () -> {});
    }

    static Claim waiting(LockBackend backend, String lock, Duration lease, Runnable nudge) {
        return backend.claim(request(lock, lease, true), nudge);
    }

    /** A claim that does not wait. */
    static Claim plain(LockBackend backend, String lock, Duration lease) {
        return backend.claim(request(lock, lease, false), () -> {});
    }

    /** A client as applications have it. */
    static CuratorFramework curator(String connectString, Duration sessionTimeout) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(connectString)
                .sessionTimeoutMs((int) sessionTimeout.toMillis())
                .connectionTimeoutMs(10_000)
                .retryPolicy(new RetryOneTime(100))
                .build();
        client.start();
        return client;
    }

    /**
     * Ends a session at the server, without telling its client. Another client takes the session over and closes it; if the
     * first client took it back before, once more.
     */
    static void endSession(CuratorFramework client, String connectString) throws Exception {
        ZooKeeper victim = client.getZookeeperClient().getZooKeeper();
        long session = victim.getSessionId();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofSeconds(2))
                .pollDelay(Duration.ZERO)
                .until(() -> {
                    if (client.getZookeeperClient().getZooKeeper() == victim
                            && victim.getState().isAlive()) {
                        CountDownLatch taken = new CountDownLatch(1);
                        ZooKeeper twin = new ZooKeeper(
                                connectString, 4_000, event -> taken.countDown(), session, victim.getSessionPasswd());
                        taken.await();
                        twin.close();
                    }
                    return client.getZookeeperClient().getZooKeeper() != victim;
                });
    }

    /** Ends a session at the server, once, as an administrator does; answers the moment before. */
    static long closeSession(CuratorFramework client, String connectString) throws Exception {
        ZooKeeper victim = client.getZookeeperClient().getZooKeeper();
        CountDownLatch taken = new CountDownLatch(1);
        ZooKeeper twin = new ZooKeeper(
                connectString, 4_000, event -> taken.countDown(), victim.getSessionId(), victim.getSessionPasswd());
        taken.await();
        long before = System.nanoTime();
        twin.close();
        return before;
    }
}
