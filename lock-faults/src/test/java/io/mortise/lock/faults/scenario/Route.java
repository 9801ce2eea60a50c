// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.process.TestServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * The way of one worker to all servers of its store.
 *
 * @param url the store by this way
 * @param proxies one for each server; none if the way cannot be cut
 */
public record Route(String url, List<TcpProxy> proxies) implements AutoCloseable {
    static Route direct(String url) {
        return new Route(url, List.of());
    }

    /** Through proxies. The URL is made of their addresses, HOST:PORT. */
    static Route to(List<? extends TestServer> servers, Function<List<String>, String> url) {
        List<TcpProxy> proxies = servers.stream()
                .map(server -> TcpProxy.to(server.host(), server.port()))
                .toList();
        return new Route(
                url.apply(proxies.stream()
                        .map(proxy -> proxy.host() + ":" + proxy.port())
                        .toList()),
                proxies);
    }

    public boolean canBeCut() {
        return !proxies.isEmpty();
    }

    /** Refuses connections. */
    public void cut() {
        proxies.forEach(TcpProxy::cut);
    }

    /** Lets nothing pass, and refuses nothing. */
    public void freeze() {
        proxies.forEach(TcpProxy::freeze);
    }

    /** Lets requests pass, and no replies. */
    public void freezeReplies() {
        proxies.forEach(TcpProxy::freezeReplies);
    }

    public void killConnections() {
        proxies.forEach(TcpProxy::killConnections);
    }

    public void delayReplies(Duration delay) {
        proxies.forEach(proxy -> proxy.delayReplies(delay));
    }

    public void heal() {
        proxies.forEach(TcpProxy::heal);
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
    }
}
