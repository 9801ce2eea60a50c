// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.memcached.log.DriverLogger;
import io.mortise.lock.spi.support.Sha256;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.ConnectionFactoryBuilder.Protocol;
import net.spy.memcached.ConnectionObserver;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.MemcachedConnection;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.auth.AuthDescriptor;
import net.spy.memcached.ops.LinkedOperationQueueFactory;
import net.spy.memcached.protocol.binary.BinaryMemcachedNodeImpl;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the spymemcached client, our own or the application's, with the connection to each of its servers. A key is
 * always on the same server, whether that one is up or not, and whatever the order in which the servers were listed.
 * Thread-safe.
 */
public final class DriverClient {
    private static final long END_MILLIS = 1_000;

    private final MemcachedClient client;
    private final boolean own;
    private final List<ServerConnection> servers;
    private final ConnectionObserver observer = new ConnectionObserver() {
        @Override
        public void connectionEstablished(SocketAddress address, int attempts) {
            at(address, server -> server.connected(own));
        }

        @Override
        public void connectionLost(SocketAddress address) {
            at(address, ServerConnection::disconnected);
        }

        private void at(SocketAddress address, Consumer<ServerConnection> action) {
            servers.stream().filter(server -> server.isAt(address)).forEach(action);
        }
    };

    private DriverClient(MemcachedClient client, boolean own, @Nullable PasswordCheck password, RestartDelay delay) {
        this.client = client;
        this.own = own;
        this.servers = servers(client.getConnection(), password, delay);
        client.addObserver(observer);
    }

    /** Uses a client of the application's, which must speak the binary protocol and stays open. */
    public static DriverClient borrowed(MemcachedClient client, RestartDelay delay) {
        refuseRepeated(client.getNodeLocator().getAll().stream()
                .map(MemcachedNode::getSocketAddress)
                .toList());
        return new DriverClient(client, false, null, delay);
    }

    /** Makes a client of our own, which begins to connect, and reconnects until it is closed; no credentials without SASL. */
    public static DriverClient open(
            List<InetSocketAddress> addresses, @Nullable AuthDescriptor credentials, RestartDelay delay) {
        DriverLogger.install();
        refuseRepeated(addresses); // before there is a client, which somebody must close
        PasswordCheck password = credentials == null ? null : new PasswordCheck();
        ConnectionFactoryBuilder settings = new ConnectionFactoryBuilder()
                .setProtocol(Protocol.BINARY)
                .setFailureMode(FailureMode.Cancel)
                .setMaxReconnectDelay(1)
                .setTimeoutExceptionThreshold(2)
                .setOpQueueFactory(new LinkedOperationQueueFactory())
                .setShouldOptimize(false)
                .setDaemon(true);
        if (credentials != null) {
            settings.setAuthDescriptor(credentials).setAuthWaitTime(1).setOpFact(password);
        }
        try {
            MemcachedClient client = new MemcachedClient(settings.build(), addresses);
            client.getConnection().setName("memcached client of mortise");
            return new DriverClient(client, true, password, delay);
        } catch (IOException failure) {
            throw new LockConfigurationException("memcached cannot be used: " + failure.getMessage(), failure);
        }
    }

    private static List<ServerConnection> servers(
            MemcachedConnection connection, @Nullable PasswordCheck password, RestartDelay delay) {
        List<ServerConnection> servers = new ArrayList<>();
        for (MemcachedNode node : connection.getLocator().getAll()) {
            if (!(node instanceof BinaryMemcachedNodeImpl)) {
                throw new LockConfigurationException("the memcached client must speak the binary protocol: make it with"
                        + " ConnectionFactoryBuilder.setProtocol(Protocol.BINARY)");
            }
            servers.add(new ServerConnection(connection, node, password, delay));
        }
        return List.copyOf(servers);
    }

    private static void refuseRepeated(Collection<? extends SocketAddress> addresses) {
        Set<String> names = new HashSet<>();
        for (SocketAddress address : addresses) {
            String name = ServerConnection.name((InetSocketAddress) address);
            if (!names.add(canonical(name))) {
                throw new LockConfigurationException("the memcached server " + name + " is named twice");
            }
        }
    }

    /** The connection to the server of a key, which is chosen by rendezvous hashing. */
    public ServerConnection serverOf(String key) {
        return Collections.max(servers, Comparator.comparingLong(server -> weight(server.name(), key)));
    }

    /** A key is on the server with the highest weight for it. Stable forever: versions of this library share servers. */
    static long weight(String server, String key) {
        String hash = Sha256.hex((canonical(server) + " " + key).getBytes(StandardCharsets.UTF_8));
        return Long.parseUnsignedLong(hash.substring(0, 16), 16);
    }

    /** One spelling for all of one name: in lower case, without the dot at the end of a host, and IPv6 addresses in full. */
    private static String canonical(String server) {
        int colon = server.lastIndexOf(':');
        String host = server.substring(0, colon).toLowerCase(Locale.ROOT);
        if (host.indexOf(':') >= 0) {
            try {
                host = InetAddress.getByName(host).getHostAddress();
            } catch (UnknownHostException noAddress) {
                // as it was given
            }
        }
        return (host.endsWith(".") ? host.substring(0, host.length() - 1) : host) + server.substring(colon);
    }

    /** Closes a client of our own, and leaves the application's open. Calls that wait end with an exception. Idempotent. */
    public void close() {
        servers.forEach(ServerConnection::close);
        client.removeObserver(observer);
        if (own) {
            client.shutdown();
            awaitEnd(client.getConnection());
            servers.forEach(ServerConnection::cancelAll);
        }
    }

    private static void awaitEnd(MemcachedConnection thread) {
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException now) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
