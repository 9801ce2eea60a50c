// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;

/** Builds a {@link ZooKeeperBackend} over a Curator client of the application. Not thread-safe. */
public final class ZooKeeperBackendBuilder {
    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(40);
    static final String DEFAULT_ROOT = "/mortise";

    private final CuratorFramework client;
    private String root = DEFAULT_ROOT;
    private List<ACL> acl = Ids.OPEN_ACL_UNSAFE;

    ZooKeeperBackendBuilder(CuratorFramework client) {
        this.client = Objects.requireNonNull(client, "client");
    }

    /**
     * The node that all other nodes lie under. Clients with different roots do not see each other's locks. It is made when it
     * is missing.
     *
     * @param path absolute, in the client's namespace; unless set, {@code /mortise}
     * @return this
     * @throws LockConfigurationException if it is no path, or is {@code /}
     */
    public ZooKeeperBackendBuilder root(String path) {
        root = checkedRoot(path);
        return this;
    }

    /**
     * The access list of every node that is made. Whoever may delete or create nodes can break locks.
     *
     * @param list not empty; unless set, open to everybody
     * @return this
     * @throws LockConfigurationException if it is empty
     */
    public ZooKeeperBackendBuilder acl(List<ACL> list) {
        if (list.isEmpty()) {
            throw new LockConfigurationException("an access list must not be empty");
        }
        acl = List.copyOf(list);
        return this;
    }

    /**
     * Makes the backend. Waits up to two seconds for the client's connection, and then goes on without one, with the lease
     * bounds of a session of 40 seconds.
     *
     * <p>The backend cannot know how long the client's session has been alive: in the first three seconds, a lock may not be
     * granted until they are over.
     *
     * @return a new backend
     * @throws LockConfigurationException if the client is not started, or if the ensemble answers and refuses it the root
     */
    public ZooKeeperBackend build() {
        if (client.getState() != CuratorFrameworkState.STARTED) {
            throw new LockConfigurationException("the CuratorFramework must be started, and not closed");
        }
        return ZooKeeperBackend.open(
                NodePaths.of(root, acl, client.getNamespace()), client, false, DEFAULT_TIMEOUT, Optional::empty);
    }

    static String checkedRoot(String path) {
        String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        try {
            PathUtils.validatePath(trimmed);
        } catch (IllegalArgumentException wrong) {
            throw new LockConfigurationException("'" + path + "' is no path for a root: " + wrong.getMessage(), wrong);
        }
        return trimmed;
    }
}
