// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.zookeeper.internal.token.FencedGrant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** I6: writes that happen only while a lease holds. */
@Timeout(120)
class GuardTest {
    private static final Duration AMPLE = Duration.ofSeconds(10);

    static ZooKeeperServer server;
    static ZooKeeperBackend backend;
    static LockClient locks;
    static ZooKeeperGuard guard;
    static NodeAccess nodes;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
        backend = Fixtures.open(server.url());
        locks = LockClient.builder(backend).build();
        guard = backend.guard();
        nodes = new NodeAccess(server.connectString());
    }

    @AfterAll
    static void stop() throws Exception {
        nodes.close();
        locks.close();
        server.close();
    }

    private static String applicationNode() throws Exception {
        return nodes.zooKeeper().create("/balance-", bytes("0"), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String read(String path) throws Exception {
        return new String(nodes.zooKeeper().getData(path, false, null), StandardCharsets.US_ASCII);
    }

    private static void assertWritesAreRefused(Lease lease, String balance) throws Exception {
        assertThatThrownBy(() -> guard.write(lease, List.of(Op.setData(balance, bytes("1"), -1)), AMPLE))
                .isInstanceOf(LockLostException.class);
        assertThat(read(balance)).isEqualTo("0");
    }

    @Test
    void aHolderWrites() throws Exception {
        String balance = applicationNode();
        try (Lease lease = locks.lock(Fixtures.name()).acquire()) {
            assertThat(guard.write(lease, List.of(Op.setData(balance, bytes("1"), -1)), AMPLE))
                    .hasSize(1);
        }
        assertThat(read(balance)).isEqualTo("1");
    }

    @Test
    void aReleasedLeaseDoesNotWrite() throws Exception {
        String balance = applicationNode();
        Lease lease = locks.lock(Fixtures.name()).acquire();
        lease.release();

        assertWritesAreRefused(lease, balance);
    }

    @Test
    void aDeletedNodeStopsWritesBeforeTheClientKnows() throws Exception {
        String balance = applicationNode();
        String lock = Fixtures.name();
        Lease lease = locks.lock(lock).acquire();
        nodes.deleteFirst(lock);
        assertThat(lease.isHeld()).isTrue();

        assertWritesAreRefused(lease, balance);
    }

    @Test
    void anImpossibleWriteIsReportedAndNothingIsWritten() throws Exception {
        String balance = applicationNode();
        try (Lease lease = locks.lock(Fixtures.name()).acquire()) {
            List<Op> writes = List.of(Op.setData(balance, bytes("1"), -1), Op.delete("/not-there", -1));
            assertThatThrownBy(() -> guard.write(lease, writes, AMPLE))
                    .isInstanceOfSatisfying(
                            KeeperException.NoNodeException.class,
                            refused -> assertThat(refused.getPath()).isEqualTo("/not-there"));
        }
        assertThat(read(balance)).isEqualTo("0");
    }

    @Test
    void afterAHandOverOlderTokensAreRefused() throws Exception {
        String lock = Fixtures.name();
        ClaimRequest usual = Fixtures.request(lock, Duration.ofSeconds(20), true);
        ClaimRequest block = new ClaimRequest(lock, usual.owner(), usual.label(), usual.lease(), true, 0, 5);
        Claim claim = backend.claim(block, () -> {});
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        FencedGrant shared = Objects.requireNonNull(backend.claims().grantOf(NodeAccess.queue(lock)));
        long first = claim.fencingToken();

        assertThat(shared.write(first, List.of())).isPresent();
        assertThat(shared.write(first + 3, List.of())).isPresent();
        assertThat(shared.write(first + 2, List.of()))
                .as("a write that comes late")
                .isEmpty();
        assertThat(shared.write(first + 4, List.of())).isPresent();
        assertThat(shared.write(first + 5, List.of())).as("another grant's").isEmpty();
        assertThat(claim.release(AMPLE)).isTrue();
    }

    @Test
    void noAnswerIsAStoreException() throws Exception {
        try (Lease lease = locks.lock(Fixtures.name()).acquire()) {
            server.pause();
            try {
                assertThatThrownBy(() -> guard.write(lease, List.of(Op.check("/", -1)), Duration.ofMillis(300)))
                        .isInstanceOf(LockStoreException.class);
            } finally {
                server.resume();
            }
        }
    }
}
