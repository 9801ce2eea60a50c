// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.tck.servers.process.ClientClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The suite on ZooKeeper servers that can be frozen and restarted, and whose nodes can be changed past the backend. */
abstract class ZooKeeperTck extends LockBackendTck implements Faults {
    /** All clients go through these, so that their connections can be cut. Null in a child process, which starts no servers. */
    private static @Nullable Proxies proxies;

    /** Begins with servers that have just started. */
    static void startProxies(List<ZooKeeperServer> servers) {
        NodeAccess.awaitWrites(
                servers.stream().map(ZooKeeperServer::connectString).collect(Collectors.joining(",")));
        proxies = Proxies.before(servers);
    }

    static void stopProxies() {
        proxies().close();
    }

    private static Proxies proxies() {
        return Objects.requireNonNull(proxies, "no server was started in this process");
    }

    /** All members, whether they run or not. */
    abstract List<ZooKeeperServer> servers();

    private List<ZooKeeperServer> running() {
        return servers().stream().filter(ZooKeeperServer::isRunning).toList();
    }

    /** The servers themselves, past the proxies. */
    private String connectString() {
        return String.join(
                ",", running().stream().map(ZooKeeperServer::connectString).toList());
    }

    @Override
    public String store() {
        return proxies().url();
    }

    @Override
    public LockBackend open(String store) {
        return proxies == null || !store.equals(store()) ? TckSessions.openShort(store) : TckSessions.openLong(store);
    }

    @Override
    public Duration session() {
        return TckSessions.SHORT;
    }

    @Override
    public void pauseStore() {
        running().forEach(ZooKeeperServer::pause);
    }

    @Override
    public void resumeStore() {
        running().forEach(ZooKeeperServer::resume);
    }

    @Override
    public void withdrawPermission() {
        NodeAccess.use(connectString(), NodeAccess::keepForOperators);
    }

    @Override
    public void givePermissionBack() {
        NodeAccess.use(connectString(), NodeAccess::openToAll);
    }

    @Override
    public void expireNow(String lock) {
        NodeAccess.use(connectString(), nodes -> nodes.deleteFirst(lock));
    }

    @Override
    public void deleteBehindBack(String lock) {
        NodeAccess.use(connectString(), nodes -> nodes.deleteAll(lock));
    }

    /** A node as of a claim, but of no session. */
    @Override
    public void writeWithoutEnd(String lock) {
        NodeAccess.use(connectString(), nodes -> nodes.createPersistentNode(lock));
    }

    @Override
    public void endSession(LockBackend client) {
        try {
            Fixtures.endSession(((ZooKeeperBackend) client).client(), connectString());
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void killConnections() {
        proxies().kill();
    }

    /** Requests. Those of members that were killed before are not counted any more. */
    @Override
    public long operations() {
        return running().stream()
                .mapToLong(server -> server.counter("zk_packets_received"))
                .sum();
    }

    @Override
    public Map<String, String> environmentWithClock(Duration ahead) {
        return ClientClock.environment(ahead);
    }

    /** For a client with a session that ends soon when the way is cut. */
    @Override
    public Route route() {
        Proxies own = Proxies.before(servers());
        return new Route(own.url(), own::freeze, own::heal, own::delay, own::close);
    }
}
