// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.LockConfigurationException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.spy.memcached.ConnectionObserver;
import net.spy.memcached.MemcachedConnection;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.protocol.binary.BinaryMemcachedNodeImpl;

/**
 * The servers of one client, and which of them has a key: always the same one, whether it is up or not, and whatever the
 * order in which they were listed. Immutable.
 */
final class Servers implements ConnectionObserver {
    private final List<Server> servers;
    private final boolean own;

    private Servers(List<Server> servers, boolean own) {
        this.servers = servers;
        this.own = own;
    }

    /** Those of a client of our own, or of the application's. */
    static Servers of(MemcachedConnection connection, boolean own, boolean withPassword) {
        List<Server> servers = new ArrayList<>();
        for (MemcachedNode node : connection.getLocator().getAll()) {
            if (!(node instanceof BinaryMemcachedNodeImpl)) {
                throw new LockConfigurationException("the memcached client must speak the binary protocol: make it with"
                        + " ConnectionFactoryBuilder.setProtocol(Protocol.BINARY)");
            }
            servers.add(new Server(connection, node, new Link(connection, node, withPassword)));
        }
        return new Servers(List.copyOf(servers), own);
    }

    /** The server of a key: the one that draws the highest number for it. */
    Server of(String key) {
        if (servers.size() == 1) {
            return servers.get(0);
        }
        Server best = servers.get(0);
        long highest = Long.MIN_VALUE;
        for (Server server : servers) {
            long draw = draw(server.name(), key);
            if (draw >= highest) {
                best = server;
                highest = draw;
            }
        }
        return best;
    }

    /** Stable for ever: versions of this library share servers. */
    static long draw(String server, String key) {
        return Long.parseUnsignedLong(
                Keys.sha256(server.toLowerCase(Locale.ROOT) + " " + key).substring(0, 16), 16);
    }

    List<Server> all() {
        return servers;
    }

    @Override
    public void connectionEstablished(SocketAddress address, int attempts) {
        servers.stream().filter(server -> server.isAt(address)).forEach(server -> server.connected(own));
    }

    @Override
    public void connectionLost(SocketAddress address) {
        servers.stream().filter(server -> server.isAt(address)).forEach(Server::disconnected);
    }
}
