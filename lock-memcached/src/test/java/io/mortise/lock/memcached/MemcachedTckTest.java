// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.memcached.item.Claims;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.process.ClientClock;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MemcachedTckTest extends LockBackendTck implements Faults {
    static MemcachedServer server;
    static TcpProxy proxy;

    @BeforeAll
    static void start() {
        server = MemcachedServer.start();
        proxy = TcpProxy.to(server.host(), server.port());
    }

    @AfterAll
    static void stop() {
        proxy.close();
        server.close();
    }

    @Override
    public String store() {
        return by(proxy);
    }

    private static String by(TcpProxy proxy) {
        return "memcached://" + proxy.host() + ":" + proxy.port();
    }

    @Override
    public LockBackend open(String store) {
        return Claims.open(store);
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
    public void restartStoreEmpty() {
        server.restartEmpty();
    }

    @Override
    public void expireNow(String lock) {
        server.command("touch " + Claims.key(lock) + " -1");
    }

    @Override
    public void deleteBehindBack(String lock) {
        server.command("delete " + Claims.key(lock));
    }

    @Override
    public void writeWithoutEnd(String lock) {
        String value = Claims.value(Claims.request(lock, "half-written", Duration.ofSeconds(1)));
        server.command("set " + Claims.key(lock) + " 0 0 " + value.length() + "\n" + value);
    }

    @Override
    public void killConnections() {
        proxy.killConnections();
    }

    @Override
    public Route route() {
        TcpProxy way = TcpProxy.to(server.host(), server.port());
        return new Route(by(way), way::freeze, way::heal, way::delayReplies, way::close);
    }
}
