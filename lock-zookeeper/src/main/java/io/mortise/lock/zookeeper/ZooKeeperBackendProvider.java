// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.DurationText;
import io.mortise.lock.spi.support.HostAndPort;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.session.ClientSettings;
import io.mortise.lock.zookeeper.internal.session.PortCheck;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.data.ACL;

/**
 * Opens {@code zookeeper://user:password@host1:2181,host2,host3/root} URLs. User and password are for digest
 * authentication; the root is {@code /mortise} unless given. Options: {@code sessionTimeout} (40s), and {@code acl}:
 * {@code open}, {@code creator} (the default with a user), or a list such as {@code auth::cdrwa,world:anyone:r}.
 * Thread-safe.
 *
 * <p>Opening waits up to two seconds for a connection, and then, if client and server do not disagree about TLS, goes on without one: the
 * first locks wait for it.
 */
public final class ZooKeeperBackendProvider implements LockBackendProvider {
    private static final String SESSION_TIMEOUT = "sessionTimeout";
    private static final int ATTEMPTS_IN_A_SESSION = 3;
    private static final String ACL_OPTION = "acl";
    private static final int DEFAULT_PORT = 2181;

    /** For {@link java.util.ServiceLoader}. */
    public ZooKeeperBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("zookeeper");
    }

    @Override
    public Set<String> options() {
        return Set.of(SESSION_TIMEOUT, ACL_OPTION);
    }

    @Override
    public LockBackend open(StoreUrl url) {
        if (url.hosts().isEmpty() || url.hosts().contains("")) {
            throw new LockConfigurationException(
                    "a ZooKeeper URL names its servers: zookeeper://host1:2181,host2/root");
        }
        PortCheck ports = new PortCheck(url.hosts().stream()
                .map(host -> HostAndPort.parse(host, DEFAULT_PORT))
                .toList());
        if (url.password().isPresent() && url.user().isEmpty()) {
            throw new LockConfigurationException("the URL has a password but no user; write zookeeper://user@host");
        }
        Duration timeout = timeout(url);
        List<ACL> acl = AclText.parse(
                url.option(ACL_OPTION).orElse(url.user().isPresent() ? AclText.CREATOR : AclText.OPEN),
                url.user().isPresent());
        String root = url.path().length() > 1 ? url.path() : ZooKeeperBackendBuilder.DEFAULT_ROOT;
        NodePaths paths = new NodePaths(ZooKeeperBackendBuilder.checkedRoot(root), acl);
        return ZooKeeperBackend.open(paths, client(url, timeout), true, timeout, ports::mistake);
    }

    private static CuratorFramework client(StoreUrl url, Duration timeout) {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(connectString(url.hosts()))
                .sessionTimeoutMs((int) timeout.toMillis())
                .connectionTimeoutMs((int) timeout.toMillis())
                // The URL says where the ensemble is, not the ensemble.
                .ensembleTracker(false)
                .zkClientConfig(ClientSettings.fromSystemProperties())
                .retryPolicy(new RetryOneTime(1));
        url.user()
                .ifPresent(user -> builder.authorization(
                        "digest", (user + ":" + url.password().orElse("")).getBytes(StandardCharsets.UTF_8)));
        return builder.build();
    }

    /**
     * One or two servers are named more than once, so that an attempt to connect takes a third of a session at most: it takes the
     * time-out of the session by the number of names, and a server that is just starting may never answer the first request.
     */
    private static String connectString(List<String> hosts) {
        int times = (ATTEMPTS_IN_A_SESSION + hosts.size() - 1) / hosts.size();
        return String.join(",", Collections.nCopies(times, String.join(",", hosts)));
    }

    private static Duration timeout(StoreUrl url) {
        try {
            Duration timeout = url.option(SESSION_TIMEOUT)
                    .map(DurationText::parse)
                    .orElse(ZooKeeperBackendBuilder.DEFAULT_TIMEOUT);
            if (timeout.toMillis() < 4 || timeout.toMillis() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("'" + timeout + "' is too short or too long");
            }
            return timeout;
        } catch (IllegalArgumentException wrong) {
            throw new LockConfigurationException(SESSION_TIMEOUT + ": " + wrong.getMessage(), wrong);
        }
    }
}
