// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.client.ZKClientConfig;

/** Names the servers of a client in messages: hosts and ports, the chroot, and whether it uses TLS. */
public final class ServerNames {
    private ServerNames() {}

    public static String of(CuratorFramework client) {
        // A server may be named more than once, to be tried more often.
        return Stream.of(client.getZookeeperClient()
                                .getCurrentConnectionString()
                                .split(","))
                        .distinct()
                        .collect(Collectors.joining(","))
                + (config(client).getBoolean(ZKClientConfig.SECURE_CLIENT) ? " (with TLS)" : " (without TLS)");
    }

    /** That of the application's client, if it has made a connection; else what ZooKeeper reads from system properties. */
    private static ZKClientConfig config(CuratorFramework client) {
        try {
            if (client.getZookeeperClient().isConnected()) {
                return client.getZookeeperClient().getZooKeeper().getClientConfig();
            }
        } catch (Exception notNow) {
            if (notNow instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
        return new ZKClientConfig();
    }
}
