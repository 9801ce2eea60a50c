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

/** The suite on servers that can be frozen and restarted, and on nodes that can be changed behind a holder's back. */
abstract class ZooKeeperTck extends LockBackendTck implements Faults {
    /** Where all clients pass, so that their connections can be cut. */
    abstract Proxies proxies();

    /** Whether this is a process that the suite has started: nobody has started any server in it. */
    abstract boolean isChild();

    /** All members, whether they run or not. */
    abstract List<ZooKeeperServer> servers();

    private List<ZooKeeperServer> running() {
        return servers().stream().filter(ZooKeeperServer::isRunning).toList();
    }

    /** Where strangers go, past the proxies. */
    private String connectString() {
        return String.join(
                ",", running().stream().map(ZooKeeperServer::connectString).toList());
    }

    @Override
    protected String store() {
        return proxies().url();
    }

    @Override
    protected LockBackend open(String store) {
        return isChild() || !store.equals(store()) ? TckSessions.openShort(store) : TckSessions.openLong(store);
    }

    @Override
    protected Duration session() {
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
    public void expireNow(String lock) {
        Nodes.use(connectString(), nodes -> nodes.deleteFirst(lock));
    }

    @Override
    public void deleteBehindBack(String lock) {
        Nodes.use(connectString(), nodes -> nodes.deleteAll(lock));
    }

    /** A node as of a claim, but of no session. */
    @Override
    public void writeWithoutEnd(String lock) {
        Nodes.use(connectString(), nodes -> nodes.standForEver(lock));
    }

    @Override
    public void endSession(LockBackend client) {
        try {
            Asking.endSession(((ZooKeeperBackend) client).context().sessions().client(), connectString());
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
