// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.tck.Variant;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.EtcdCluster;
import io.mortise.lock.tck.servers.EtcdServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Three members, of which one is away for a part of the run: first one that follows, then the one that leads. */
@Variant(of = EtcdTckTest.class)
class EtcdClusterTckTest extends EtcdTck {
    private static EtcdCluster cluster;
    private static int cases;

    @BeforeAll
    static void start() {
        cluster = EtcdCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static List<TcpProxy> toMembers() {
        return cluster.servers().stream()
                .map(server -> TcpProxy.to(server.host(), server.port()))
                .toList();
    }

    private static String by(List<TcpProxy> proxies) {
        return proxies.stream()
                .map(proxy -> proxy.host() + ":" + proxy.port())
                .collect(Collectors.joining(",", "etcd://", ""));
    }

    @BeforeEach
    void killAndRestart() {
        cases++;
        if (cases == 20) {
            cluster.follower().kill();
        } else if (cases == 60) {
            cluster.restartMissing();
            cluster.leader().kill();
            cluster.awaitServing();
        } else if (cases == 100) {
            cluster.restartMissing();
        }
    }

    @Override
    public String store() {
        return cluster.url();
    }

    @Override
    public void pauseStore() {
        cluster.running().forEach(EtcdServer::pause);
    }

    @Override
    public void resumeStore() {
        cluster.running().forEach(EtcdServer::resume);
    }

    @Override
    public void restartStore() {
        cluster.running().forEach(EtcdServer::kill);
        cluster.restartMissing();
    }

    @Override
    Keys keys() {
        return Keys.of(cluster.leader());
    }

    @Override
    public Route route() {
        List<TcpProxy> ways = toMembers();
        return new Route(
                by(ways),
                () -> ways.forEach(TcpProxy::freeze),
                () -> ways.forEach(TcpProxy::heal),
                delay -> ways.forEach(way -> way.delayReplies(delay)),
                () -> ways.forEach(TcpProxy::close));
    }
}
