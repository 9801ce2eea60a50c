// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** With a user who may do what locks need, and nothing else. */
class RedisTckTest extends LockBackendTck implements RedisCases, RedisQueueCases, RedisFaults {
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = AclUser.server("suite", "--appendonly", "yes");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    public RedisServer server() {
        return server;
    }

    @Override
    public LockBackend connect(String host, int port) {
        return open(AclUser.url(host, port, "suite"));
    }

    @Override
    public String store() {
        return AclUser.url(server, "suite");
    }

    @Override
    public LockBackend open(String store) {
        return new RedisBackendProvider().open(StoreUrl.parse(store));
    }

    @Override
    public List<RedisServer> servers() {
        return List.of(server);
    }

    @Override
    public RedisServer serverOf(String key) {
        return server;
    }

    @Override
    public void withdrawPermission() {
        server.command("ACL", "SETUSER", "suite", "-@all");
    }

    @Override
    public void givePermissionBack() {
        AclUser.on(server, "suite", AclUser.RULES);
    }

    @Override
    public void restartStoreEmpty() {
        server.restartEmpty();
    }

    @Override
    public Route route() {
        TcpProxy proxy = TcpProxy.to(server.host(), server.port());
        String url = AclUser.url(proxy.host(), proxy.port(), "suite");
        return new Route(url, proxy::freeze, proxy::heal, proxy::delayReplies, proxy::close);
    }
}
