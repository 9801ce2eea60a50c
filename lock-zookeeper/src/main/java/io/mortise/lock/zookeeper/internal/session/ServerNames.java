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
                + (usesTls(client) ? " (with TLS)" : " (without TLS)");
    }

    /** The application's client may have settings of its own, which it tells when it has made a connection. */
    private static boolean usesTls(CuratorFramework client) {
        try {
            if (client.getZookeeperClient().isConnected()) {
                return client.getZookeeperClient()
                        .getZooKeeper()
                        .getClientConfig()
                        .getBoolean(ZKClientConfig.SECURE_CLIENT);
            }
        } catch (Exception notNow) {
            if (notNow instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
        return ClientSettings.isTlsWanted();
    }
}
