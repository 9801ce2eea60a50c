// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The proxies in front of all servers, disturbed together. */
record Proxies(List<TcpProxy> each) implements AutoCloseable {
    static Proxies before(List<ZooKeeperServer> servers) {
        return new Proxies(servers.stream()
                .map(server -> TcpProxy.to(server.host(), server.port()))
                .toList());
    }

    String url() {
        return each.stream()
                .map(proxy -> proxy.host() + ":" + proxy.port())
                .collect(Collectors.joining(",", "zookeeper://", ""));
    }

    void freeze() {
        each.forEach(TcpProxy::freeze);
    }

    void heal() {
        each.forEach(TcpProxy::heal);
    }

    void delay(Duration later) {
        each.forEach(proxy -> proxy.delayReplies(later));
    }

    void kill() {
        each.forEach(TcpProxy::killConnections);
    }

    @Override
    public void close() {
        each.forEach(TcpProxy::close);
    }
}
