// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening a backend, from a URL or over a client of the application, and what is refused. */
@Timeout(120)
class OpeningTest {
    private static final Duration LEASE = Duration.ofSeconds(5);

    static ZooKeeperServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start("maxSessionTimeout=40000");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theDefaultLeaseFitsTheDefaultSession() throws Exception {
        try (LockClient locks = LockClient.connect(server.url());
                Lease lease = locks.lock("orders/42").acquire()) {
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(25));
        }
    }

    /** A server that is just starting may do so, and by the time-out its sessions have ended. */
    @Test
    void aServerThatNeverAnswersTheFirstRequestIsTriedAgainWithinTheSession() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            silent.setSoTimeout(30_000);
            String url = "zookeeper://127.0.0.1:" + silent.getLocalPort() + "?sessionTimeout=24s";
            CompletableFuture<LockBackend> opened = CompletableFuture.supplyAsync(() -> Fixtures.open(url));
            List<Socket> kept = new ArrayList<>();
            try {
                acceptRequest(silent, kept);
                long begin = System.nanoTime();
                acceptRequest(silent, kept);

                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
            } finally {
                for (Socket socket : kept) {
                    socket.close();
                }
                silent.close();
                opened.handle((backend, refused) -> {
                            if (backend != null) {
                                backend.close();
                            }
                            return refused;
                        })
                        .get(60, TimeUnit.SECONDS);
            }
        }
    }

    /** Waits for the next connection that asks for a session; whoever looks for TLS on the port is let wait. */
    private static void acceptRequest(ServerSocket server, List<Socket> kept) throws IOException {
        while (true) {
            Socket socket = server.accept();
            kept.add(socket);
            socket.setSoTimeout(30_000);
            if (socket.getInputStream().read() == 0) {
                return;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zookeeper://",
                "zookeeper:///root",
                "zookeeper://h1,,h2/root",
                "zookeeper://h1:0,h2/root",
                "zookeeper://h1:99999/root",
                "zookeeper://h1:port/root",
                "zookeeper://h 1/root",
                "zookeeper://[::1/root",
                "zookeeper://ann:sesame",
                "zookeeper://ann:ses/ame@h1/root",
                "zookeeper://h1/root?sessionTimeout=soon",
                "zookeeper://h1/root?sessionTimeout=0s",
                "zookeeper://h1/root?sessionTimeout=3000d",
                "zookeeper://h1/root?acl=everybody",
                "zookeeper://h1/root?acl=creator",
                "zookeeper://h1/a//b",
                "zookeeper://h1/../b",
                "zookeeper://h1/root?tickTime=5s",
            })
    void malformedUrlsAreRefused(String url) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageNotContaining("ann:s");
    }

    /** P24. */
    @Test
    void aMissingRootIsMadeAndSeparatesClients() throws Exception {
        String lock = Fixtures.name();
        try (LockBackend one = Fixtures.open(server.url() + "/apps/one");
                LockBackend two = Fixtures.open(server.url() + "/apps/two/");
                NodeAccess nodes = new NodeAccess(server.connectString())) {
            assertThat(Fixtures.waiting(one, lock, LEASE).tryAcquire(Fixtures.AMPLE))
                    .isTrue();
            assertThat(Fixtures.waiting(two, lock, LEASE).tryAcquire(Fixtures.AMPLE))
                    .isTrue();

            assertThat(nodes.zooKeeper().getChildren("/apps", false)).containsExactlyInAnyOrder("one", "two");
            assertThat(one.list("", "", 10, Fixtures.AMPLE)).hasSize(1);
        }
    }

    /** A root may be in the URL, in the root, in the chroot or in the namespace: one queue by any of them. */
    @Test
    void oneRootIsOneQueueHoweverItIsSpelled() throws Exception {
        String lock = Fixtures.name();
        try (LockBackend holder = Fixtures.open(server.url() + "/spelled/locks")) {
            assertThat(Fixtures.waiting(holder, lock, LEASE).tryAcquire(Fixtures.AMPLE))
                    .isTrue();
            try (LockBackend slash = Fixtures.open(server.url() + "/spelled/locks/");
                    LockBackend code = Fixtures.open(server.url() + "/sp%65lled/locks");
                    CuratorFramework chroot =
                            Fixtures.curator(server.connectString() + "/spelled", Duration.ofSeconds(40));
                    CuratorFramework plain = Fixtures.curator(server.connectString(), Duration.ofSeconds(40));
                    LockBackend inChroot =
                            ZooKeeperBackend.builder(chroot).root("/locks").build();
                    LockBackend inNamespace = ZooKeeperBackend.builder(plain.usingNamespace("spelled"))
                            .root("/locks/")
                            .build()) {
                for (LockBackend other : List.of(slash, code, inChroot, inNamespace)) {
                    assertThat(Fixtures.plain(other, lock, LEASE).tryAcquire(Fixtures.AMPLE))
                            .isFalse();
                }
            }
        }
    }

    @Test
    void withAUserOnlyThatUserHasAccess() throws Exception {
        String lock = Fixtures.name();
        String root = server.connectString() + "/private";
        try (LockBackend owner = Fixtures.open("zookeeper://app:s3cret@" + root);
                LockBackend twin = Fixtures.open("zookeeper://app:s3cret@" + root);
                LockClient stranger = LockClient.connect("zookeeper://" + root);
                NodeAccess nodes = new NodeAccess(server.connectString())) {
            assertThat(Fixtures.waiting(owner, lock, LEASE).tryAcquire(Fixtures.AMPLE))
                    .isTrue();
            assertThat(Fixtures.plain(twin, lock, LEASE).tryAcquire(Fixtures.AMPLE))
                    .isFalse();

            assertThatThrownBy(() -> stranger.lock(lock).acquire())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("NOAUTH")
                    .hasMessageNotContaining("s3cret");
            assertThatThrownBy(() -> nodes.zooKeeper().getChildren("/private", false))
                    .hasMessageContaining("NoAuth");
        }
    }

    @Test
    void theNodesHaveTheAccessListOfTheUrl() throws Exception {
        String url = "zookeeper://app:s3cret@" + server.connectString() + "/shown?acl=auth::cdrwa,world:anyone:r";
        try (LockBackend backend = Fixtures.open(url);
                NodeAccess nodes = new NodeAccess(server.connectString())) {
            assertThat(Fixtures.waiting(backend, "a", LEASE).tryAcquire(Fixtures.AMPLE))
                    .isTrue();

            assertThat(nodes.zooKeeper().getChildren("/shown/locks", false)).hasSize(1);
            assertThatThrownBy(() -> nodes.zooKeeper().delete("/shown/token-base", -1))
                    .hasMessageContaining("NoAuth");
        }
    }

    @Test
    void aLeaseTooLongForTheSessionIsRefusedAtTheStart() {
        assertThatThrownBy(() -> LockClient.connect(server.url() + "?mortise.lease=31s"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("PT31S")
                .hasMessageContaining("PT30S");
        assertThatThrownBy(() -> LockClient.connect(server.url() + "?sessionTimeout=60s&mortise.lease=31s"))
                .as("the server agrees to 40 seconds")
                .isInstanceOf(LockConfigurationException.class);
    }

    /** O6. */
    @Test
    void aStoreThatIsDownAtTheStartIsUsedWhenItIsUp() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            proxy.cut();
            try (LockClient locks = LockClient.connect("zookeeper://" + proxy.host() + ":" + proxy.port())) {
                assertThatThrownBy(() -> locks.lock("later").tryAcquire()).isInstanceOf(LockStoreException.class);
                CompletableFuture<Lease> waiting = locks.lock("later").acquireAsync();
                proxy.heal();

                assertThat(waiting.get().release()).isTrue();
                assertThat(locks.lock("later").tryAcquire()).isPresent();
            }
        }
    }

    @Test
    void aSessionTooShortForTheLeaseIsReportedOnceItIsKnown() throws Exception {
        try (ZooKeeperServer strict = ZooKeeperServer.start("maxSessionTimeout=2000");
                TcpProxy proxy = TcpProxy.to(strict.host(), strict.port())) {
            proxy.cut();
            String url = "zookeeper://" + proxy.host() + ":" + proxy.port();
            try (LockClient locks = LockClient.connect(url)) {
                proxy.heal();

                assertThatThrownBy(() -> locks.lock("a").acquire())
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("sessions of 2000 ms")
                        .hasMessageContaining("leases of up to 1500 ms")
                        .hasMessageContaining("30000 ms");
            }
            assertThatThrownBy(() -> LockClient.connect(strict.url())).isInstanceOf(LockConfigurationException.class);
            try (LockClient locks = LockClient.connect(strict.url() + "?mortise.lease=1s")) {
                assertThat(locks.lock("a").acquire().release()).isTrue();
            }
        }
    }

    @Test
    void aClientOfTheApplicationStaysOpen() throws Exception {
        try (CuratorFramework client = Fixtures.curator(server.connectString(), Duration.ofSeconds(40));
                NodeAccess nodes = new NodeAccess(server.connectString())) {
            String lock = Fixtures.name();
            ZooKeeperBackend backend = ZooKeeperBackend.of(client);
            Claim holder = Fixtures.waiting(backend, lock, LEASE);
            assertThat(holder.tryAcquire(Fixtures.AMPLE)).isTrue();
            backend.close();
            backend.close();

            assertThat(client.getState()).isEqualTo(CuratorFrameworkState.STARTED);
            assertThat(client.checkExists().forPath("/mortise")).isNotNull();
            assertThat(nodes.line(lock)).isEmpty();
        }
    }

    @Test
    void theNamespaceOfTheApplicationsClientIsUsed() throws Exception {
        try (CuratorFramework client = Fixtures.curator(server.connectString(), Duration.ofSeconds(40))) {
            LockBackend backend = ZooKeeperBackend.builder(client.usingNamespace("team"))
                    .root("/ours")
                    .acl(Ids.OPEN_ACL_UNSAFE)
                    .build();
            assertThat(Fixtures.waiting(backend, "a", LEASE).tryAcquire(Fixtures.AMPLE))
                    .isTrue();

            assertThat(client.getChildren().forPath("/team/ours")).containsExactlyInAnyOrder("locks", "token-base");
            backend.close();
        }
    }

    @Test
    void aClientThatIsNotStartedIsRefused() {
        CuratorFramework client = CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(1));
        assertThatThrownBy(() -> ZooKeeperBackend.of(client))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("started");
        assertThatThrownBy(() -> ZooKeeperBackend.builder(client).root("/"))
                .isInstanceOf(LockConfigurationException.class);
        assertThatThrownBy(() -> ZooKeeperBackend.builder(client).acl(List.of()))
                .isInstanceOf(LockConfigurationException.class);
    }

    /** U6. */
    @Test
    void allThreadsAreDaemons() throws Exception {
        LockClient locks =
                LockClient.builder(server.url()).options(LockOptions.defaults()).build();
        assertThat(locks.lock("threads").acquire().release()).isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().matches("lock-zookeeper.*|Curator.*|.*-(Send|Event)Thread.*"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
        locks.close();
    }
}
