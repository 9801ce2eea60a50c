// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.EtcdServer;
import io.mortise.lock.tck.servers.process.ClientClock;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A cluster of one member. That it loses its data is what no consensus survives: {@link RestartTest}. */
class EtcdTckTest extends LockBackendTck implements Faults {
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
    public LockBackend open(String store) {
        return Keys.open(store);
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(2);
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
    public void expireNow(String lock) {
        Keys.of(server).expire(lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        Keys.of(server).delete(lock);
    }

    @Override
    public void writeWithoutEnd(String lock) {
        Keys.of(server).writeWithoutEnd(lock);
    }

    @Override
    public Route route() {
        TcpProxy way = TcpProxy.to(server.host(), server.port());
        return new Route(
                "etcd://" + way.host() + ":" + way.port(), way::freeze, way::heal, way::delayReplies, way::close);
    }
}
