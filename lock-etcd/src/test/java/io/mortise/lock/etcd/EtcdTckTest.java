// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.EtcdServer;
import io.mortise.lock.tck.servers.process.ClientClock;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A cluster of one member. That it loses its data is what no consensus survives: {@link RestartTest}. */
class EtcdTckTest extends EtcdTck {
    static EtcdServer server;

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    public String store() {
        return server.url();
    }

    @Override
    public Map<String, String> environmentWithClock(Duration ahead) {
        return ClientClock.environment(ahead);
    }

    @Override
    public void pauseStore() {
        server.pause();
    }

    @Override
    public void resumeStore() {
        server.resume();
    }

    @Override
    public void restartStore() {
        server.kill();
        server.restart();
    }

    @Override
    public void withdrawPermission() {
        server.requireUsers();
    }

    @Override
    public void givePermissionBack() {
        server.requireNoUsers();
    }

    @Override
    public long operations() {
        return server.requests();
    }

    @Override
    Keys keys() {
        return Keys.of(server);
    }

    @Override
    public Route route() {
        TcpProxy way = TcpProxy.to(server.host(), server.port());
        return new Route(
                "etcd://" + way.host() + ":" + way.port(), way::freeze, way::heal, way::delayReplies, way::close);
    }
}
