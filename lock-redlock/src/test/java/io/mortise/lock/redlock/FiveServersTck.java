// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;

/** The suite over five real servers. */
abstract class FiveServersTck extends LockBackendTck implements Faults {
    /** The servers of the test class. */
    abstract Five five();

    @Override
    public String store() {
        return five().url();
    }

    @Override
    public LockBackend open(String store) {
        return new RedlockBackendProvider().open(StoreUrl.parse(store));
    }

    /** Six processes share a busy machine: a stall of a second must not end a lease. */
    @Override
    public Duration lease() {
        return Duration.ofMillis(1500);
    }

    @Override
    public void pauseStore() {
        five().forEachAlive(RedisServer::pause);
    }

    @Override
    public void resumeStore() {
        five().forEachAlive(RedisServer::resume);
    }

    @Override
    public void withdrawPermission() {
        five().forEachAlive(server -> Five.permit(server, "-@all"));
    }

    @Override
    public void givePermissionBack() {
        five().forEachAlive(server -> Five.permit(server, "+@all"));
    }

    @Override
    public void restartStore() {
        five().forEachAlive(RedisServer::restart);
    }

    /** Restarts the servers that are alive and not needed for a majority. */
    @Override
    public void restartStoreEmpty() {
        List<RedisServer> alive = five().alive();
        if (alive.size() == Votes.majority(5)) {
            Faults.super.restartStoreEmpty();
        }
        alive.subList(Votes.majority(5), alive.size()).forEach(RedisServer::restartEmpty);
    }

    @Override
    public void writeWithoutEnd(String lock) {
        five().forEachAlive(
                        server -> server.command("SET", Five.key(lock), "held 00000000000000000000000000000000 1 1 -"));
    }

    @Override
    public void killConnections() {
        five().forEachAlive(server -> server.command("CLIENT", "KILL", "TYPE", "normal"));
    }

    @Override
    public long operations() {
        return five().alive().stream()
                .mapToLong(server -> server.commandStats().getOrDefault("evalsha", 0L))
                .sum();
    }

    @Override
    public Route route() {
        List<TcpProxy> proxies = five().all().stream()
                .map(server -> TcpProxy.to(server.host(), server.port()))
                .toList();
        List<String> addresses =
                proxies.stream().map(proxy -> proxy.host() + ":" + proxy.port()).toList();
        return new Route(
                Five.url(addresses),
                () -> proxies.forEach(TcpProxy::freeze),
                () -> proxies.forEach(TcpProxy::heal),
                delay -> proxies.forEach(proxy -> proxy.delayReplies(delay)),
                () -> proxies.forEach(TcpProxy::close));
    }

    @Override
    public void expireNow(String lock) {
        five().forEachAlive(server -> server.command("PEXPIRE", Five.key(lock), "0"));
    }

    @Override
    public void deleteBehindBack(String lock) {
        five().forEachAlive(server -> server.command("DEL", Five.key(lock), Five.key(lock) + ":token"));
    }
}
