// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the servers refuse is told at once, with what to do, and never taken for silence. */
@Timeout(120)
class RefusalTest {
    /** Everybody may look and change the access list, and nobody may do more. */
    private static final List<ACL> WITHDRAWN = Arrays.asList(new ACL(Perms.READ | Perms.ADMIN, Ids.ANYONE_ID_UNSAFE));

    static ZooKeeperServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void makeClosed(String path) throws Exception {
        try (NodeAccess nodes = new NodeAccess(server.connectString())) {
            nodes.zooKeeper().create(path, new byte[0], WITHDRAWN, CreateMode.PERSISTENT);
        }
    }

    @Test
    void aRootUnderAClosedParentIsRefusedAtConnect() throws Exception {
        makeClosed("/closed");

        assertThatThrownBy(() -> build("/closed/team/locks"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(server.connectString())
                .hasMessageContaining("access to /closed/team ")
                .hasMessageContaining("NOAUTH")
                .hasMessageContaining("permissions");
    }

    /** Over a client that is connected, so that the servers answer at once. */
    private static void build(String root) throws Exception {
        try (CuratorFramework client = Fixtures.curator(server.connectString(), Duration.ofSeconds(40))) {
            client.blockUntilConnected();
            ZooKeeperBackend.builder(client).root(root).build().close();
        }
    }

    /** The servers could not be asked at connect. NoNode of the nodes below is no reason. */
    @Test
    void aRootUnderAClosedParentIsRefusedByTheFirstTry() throws Exception {
        makeClosed("/locked");
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            proxy.cut();
            String url = "zookeeper://" + proxy.host() + ":" + proxy.port() + "/locked/team/locks";
            try (LockClient locks = LockClient.connect(url)) {
                proxy.heal();

                assertThatThrownBy(() -> locks.lock("a").acquire())
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("access to /locked/team ");
            }
        }
    }

    @Test
    void aMissingChrootIsRefused() throws Exception {
        CuratorFramework client = Fixtures.curator(server.connectString() + "/nowhere", Duration.ofSeconds(40));
        client.blockUntilConnected();
        try (client) {
            assertThatThrownBy(() -> ZooKeeperBackend.of(client))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("chroot")
                    .hasMessageContaining("/nowhere");
        }
    }

    @Test
    void aRootThatCannotBeReadIsRefusedAtConnect() throws Exception {
        String root = server.connectString() + "/hidden";
        try (LockClient owner = LockClient.connect("zookeeper://app:s3cret@" + root)) {
            assertThat(owner.lock("a").acquire().release()).isTrue();

            assertThatThrownBy(() -> build("/hidden"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("/hidden/locks")
                    .hasMessageContaining("NOAUTH");
        }
    }

    @Test
    void whoMayOnlyReadCanListLocksAndTakeNone() throws Exception {
        String root = server.connectString() + "/shown";
        try (LockClient owner =
                        LockClient.connect("zookeeper://app:s3cret@" + root + "?acl=auth::cdrwa,world:anyone:r");
                Lease lease = owner.lock("a").acquire();
                LockClient reader = LockClient.connect("zookeeper://" + root)) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(reader.holders("")).hasSize(1);
            assertThatThrownBy(() -> reader.lock("b").tryAcquire()).isInstanceOf(LockConfigurationException.class);
        }
    }

    @Test
    void anAccessListWithoutAUserIsRefusedAtConnect() throws Exception {
        CuratorFramework client = Fixtures.curator(server.connectString(), Duration.ofSeconds(40));
        client.blockUntilConnected();
        try (client) {
            assertThatThrownBy(() -> ZooKeeperBackend.builder(client)
                            .root("/mine")
                            .acl(Ids.CREATOR_ALL_ACL)
                            .build())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("INVALIDACL")
                    .hasMessageContaining("acl");
        }
    }

    @Test
    void rejectedCredentialsAreARefusal() throws Exception {
        try (CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .retryPolicy(new RetryOneTime(1))
                .authorization("nosuchscheme", new byte[1])
                .build()) {
            client.start();
            assertThatThrownBy(() -> {
                        try (LockClient locks =
                                LockClient.builder(ZooKeeperBackend.of(client)).build()) {
                            locks.lock("a").tryAcquire();
                        }
                    })
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("AUTHFAILED")
                    .hasMessageContaining("credentials");
        }
    }

    @Test
    void aPermissionThatWasWithdrawnAndGivenBackIsUsedAgain() throws Exception {
        String lock = Fixtures.name();
        try (LockClient holder = LockClient.connect(server.url() + "/given?sessionTimeout=40s");
                LockClient other = LockClient.connect(server.url() + "/given");
                NodeAccess nodes = new NodeAccess(server.connectString())) {
            Lease lease = holder.lock(lock).acquire();
            setAccess(nodes.zooKeeper(), "/given/locks", WITHDRAWN);

            assertThatThrownBy(() -> other.lock(lock).acquire())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("NOAUTH")
                    .hasMessageContaining("permissions");
            assertThatThrownBy(() -> other.lock("another").tryAcquire()).isInstanceOf(LockConfigurationException.class);
            assertThat(lease.isHeld()).isTrue();
            assertThatThrownBy(lease::release)
                    .isInstanceOf(LockReleaseException.class)
                    .hasMessageContaining("NOAUTH");

            setAccess(nodes.zooKeeper(), "/given/locks", Ids.OPEN_ACL_UNSAFE);

            assertThat(other.lock(lock).acquire().release()).isTrue();
            await().until(() -> other.lock("another").holder().isEmpty());
        }
    }

    private static void setAccess(ZooKeeper zooKeeper, String path, List<ACL> access) throws Exception {
        for (String child : zooKeeper.getChildren(path, false)) {
            setAccess(zooKeeper, path + "/" + child, access);
        }
        zooKeeper.setACL(path, access, -1);
    }

    @Test
    void anUnreachableServerIsNamedWithPortAndWhetherTlsIsUsed() {
        try (LockClient locks = LockClient.connect("zookeeper://127.0.0.1:1")) {
            assertThatThrownBy(() -> locks.lock("a").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .cause()
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("127.0.0.1:1")
                    .hasMessageContaining("without TLS");
        }
    }
}
