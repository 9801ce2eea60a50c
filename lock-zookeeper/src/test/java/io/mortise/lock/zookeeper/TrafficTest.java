// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many requests each operation sends, by the server's own counters. docs/backends/zookeeper.md has the figures. */
@Timeout(180)
class TrafficTest {
    private static final Duration LEASE = Duration.ofSeconds(400);
    private static final int TIMES = 50;

    static ZooKeeperServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start("maxSessionTimeout=600000");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Its session is so long that no heartbeat is sent meanwhile. */
    private static ZooKeeperBackend open() {
        return Fixtures.open(server.url() + "?sessionTimeout=600s");
    }

    private interface Operation {
        void once() throws Exception;
    }

    /** How many requests an operation takes; reading the counters is one too. */
    private static double requests(Operation operation) throws Exception {
        long before = server.counter("zk_packets_received");
        for (int i = 0; i < TIMES; i++) {
            operation.once();
        }
        long after = server.counter("zk_packets_received");
        return (after - before - 1) / (double) TIMES;
    }

    @Test
    void requestsOfEveryOperation() throws Exception {
        String lock = Fixtures.name();
        try (ZooKeeperBackend backend = open();
                NodeAccess nodes = new NodeAccess(server.connectString())) {
            Claim first = Fixtures.waiting(backend, lock, LEASE);
            assertThat(first.tryAcquire(Fixtures.AMPLE)).isTrue();
            nodes.keep(lock);
            assertThat(first.release(Fixtures.AMPLE)).isTrue();

            List<Claim> claims = new ArrayList<>();
            assertThat(requests(() -> {
                        Claim claim = Fixtures.waiting(backend, lock, LEASE);
                        assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();
                        assertThat(claim.release(Fixtures.AMPLE)).isTrue();
                    }))
                    .as("acquire (create and children together) and release (delete)")
                    .isBetween(3.0, 3.2);
            // The server may remove this queue once, which costs a few requests.
            String tried = Fixtures.name();
            Claim before = Fixtures.plain(backend, tried, LEASE);
            assertThat(before.tryAcquire(Fixtures.AMPLE)).isTrue();
            assertThat(before.release(Fixtures.AMPLE)).isTrue();
            assertThat(requests(() -> {
                        Claim claim = Fixtures.plain(backend, tried, LEASE);
                        assertThat(claim.tryAcquire(Fixtures.AMPLE)).isTrue();
                        assertThat(claim.release(Fixtures.AMPLE)).isTrue();
                    }))
                    .as("plain try (a transaction and children together) and release")
                    .isBetween(3.0, 3.2);
            Claim holder = Fixtures.waiting(backend, lock, LEASE);
            assertThat(holder.tryAcquire(Fixtures.AMPLE)).isTrue();
            assertThat(requests(() ->
                            assertThat(holder.renew(LEASE, Fixtures.AMPLE)).isTrue()))
                    .as("renewal")
                    .isBetween(1.0, 1.2);
            assertThat(requests(() -> {
                        Claim claim = Fixtures.plain(backend, lock, LEASE);
                        assertThat(claim.tryAcquire(Fixtures.AMPLE)).isFalse();
                        assertThat(claim.release(Fixtures.AMPLE)).isFalse();
                    }))
                    .as("refused plain try (a transaction and children together)")
                    .isBetween(2.0, 2.2);
            for (int i = 0; i < 100; i++) {
                claims.add(Fixtures.waiting(backend, Fixtures.name(), LEASE));
                assertThat(claims.get(i).tryAcquire(Fixtures.AMPLE)).isTrue();
            }
            List<Renewal> renewals =
                    claims.stream().map(claim -> new Renewal(claim, LEASE)).toList();
            assertThat(requests(() -> assertThat(backend.renewAll(renewals, Fixtures.AMPLE))
                            .containsOnly(Answer.YES)))
                    .as("renewal of a hundred")
                    .isBetween(1.0, 1.2);
        }
    }

    /** K5. */
    @ParameterizedTest
    @ValueSource(ints = {50, 200})
    void eachReleaseWakesOneWaiter(int waiters) throws Exception {
        double requests = handOver(waiters, TrafficTest::open);

        System.out.println(requests + " requests for each hand-over among " + waiters + " waiters");

        assertThat(requests)
                .as("requests for each hand-over: delete, then write and children together")
                .isBetween(3.0, 3.2);
    }

    /** What the figures in docs/backends/zookeeper.md are read from. */
    @ParameterizedTest
    @ValueSource(ints = {50, 200})
    void waitersThatAreNotWokenAskSeldomAndLittle(int waiters) throws Exception {
        String lock = Fixtures.name();
        List<LockBackend> backends = new ArrayList<>();
        List<Waiter> line = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                backends.add(open());
            }
            for (int i = 0; i <= waiters; i++) {
                line.add(new Waiter(backends.get(i % 4), lock));
                assertThat(line.get(i).ask()).isEqualTo(i == 0);
            }
            long received = server.counter("zk_packets_received");
            for (Waiter waiter : line.subList(1, waiters + 1)) {
                assertThat(waiter.ask()).isFalse();
            }
            long requests = server.counter("zk_packets_received") - received - 1;
            assertThat(requests / (double) waiters)
                    .as("requests of one look of a waiter, of which there is one in four to five seconds")
                    .isBetween(2.0, 2.2);
        } finally {
            backends.forEach(LockBackend::close);
        }
    }

    /** W8. */
    @Test
    void aLockThatWakesAllWaitersFails() {
        assertThatThrownBy(() -> handOver(20, () -> new HerdBackend(server.connectString())))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("watches that fired");
    }

    private interface Opening {
        LockBackend open() throws Exception;
    }

    /** A claim that asks again when it is nudged. */
    private static final class Waiter {
        private final AtomicInteger nudges = new AtomicInteger();
        private final Claim claim;
        private int heeded;

        private Waiter(LockBackend backend, String lock) {
            claim = Fixtures.waiting(backend, lock, LEASE, nudges::incrementAndGet);
        }

        private boolean ask() throws InterruptedException {
            heeded = nudges.get();
            return claim.tryAcquire(Fixtures.AMPLE);
        }

        private boolean isNudged() {
            return nudges.get() > heeded;
        }
    }

    /** Hands a lock on until everybody has had it, each release waking one; answers how many requests a hand-over took. */
    private static double handOver(int waiters, Opening opening) throws Exception {
        String lock = Fixtures.name();
        List<LockBackend> backends = new ArrayList<>();
        List<Waiter> line = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                backends.add(opening.open());
            }
            for (int i = 0; i <= waiters; i++) {
                line.add(new Waiter(backends.get(i % 4), lock));
                assertThat(line.get(i).ask()).isEqualTo(i == 0);
            }
            for (int i = 1; i <= waiters; i++) {
                assertThat(line.get(i).isNudged() && line.get(i).ask()).isFalse();
            }
            long fired = fired();
            long received = server.counter("zk_packets_received");
            for (int i = 0; i < waiters; i++) {
                Waiter next = line.get(i + 1);
                assertThat(line.get(i).claim.release(Fixtures.AMPLE)).isTrue();
                await().atMost(Fixtures.AMPLE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(next::isNudged);
                for (Waiter waiter : line.subList(i + 1, waiters + 1)) {
                    assertThat(waiter.isNudged() && waiter.ask()).isEqualTo(waiter == next);
                }
            }
            long requests = server.counter("zk_packets_received") - received;
            assertThat(fired() - fired)
                    .as("watches that fired for %s releases", waiters)
                    .isEqualTo(waiters);
            assertThat(line.stream().mapToInt(waiter -> waiter.nudges.get()).sum())
                    .as("waiters woken by %s releases", waiters)
                    .isEqualTo(waiters);
            return requests / (double) waiters;
        } finally {
            backends.forEach(LockBackend::close);
        }
    }

    private static long fired() {
        return server.counter("zk_sum_node_deleted_watch_count") + server.counter("zk_sum_node_children_watch_count");
    }
}
