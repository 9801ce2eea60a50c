// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.memcached.log.DriverLogger;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.ConnectionFactoryBuilder.Protocol;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.MemcachedConnection;
import net.spy.memcached.auth.AuthDescriptor;
import net.spy.memcached.ops.LinkedOperationQueueFactory;
import org.jspecify.annotations.Nullable;

/** The driver's client, our own or the application's. Thread-safe. */
final class Connection {
    private static final long END_MILLIS = 1_000;

    private final MemcachedClient client;
    private final boolean own;
    private final Servers servers;

    private Connection(MemcachedClient client, boolean own, boolean withPassword) {
        this.client = client;
        this.own = own;
        this.servers = Servers.of(client.getConnection(), own, withPassword);
        client.addObserver(servers);
    }

    static Connection borrowed(MemcachedClient client) {
        return new Connection(client, false, false);
    }

    /** Begins to connect, and goes on until it is closed. */
    static Connection open(List<InetSocketAddress> addresses, @Nullable AuthDescriptor credentials) {
        DriverLogger.install();
        ConnectionFactoryBuilder settings = new ConnectionFactoryBuilder()
                .setProtocol(Protocol.BINARY)
                .setFailureMode(FailureMode.Cancel)
                .setMaxReconnectDelay(1)
                .setTimeoutExceptionThreshold(2)
                .setOpQueueFactory(new LinkedOperationQueueFactory())
                .setShouldOptimize(false)
                .setDaemon(true);
        if (credentials != null) {
            settings.setAuthDescriptor(credentials).setAuthWaitTime(1);
        }
        try {
            MemcachedClient client = new MemcachedClient(settings.build(), addresses);
            client.getConnection().setName("memcached client of mortise");
            return new Connection(client, true, credentials != null);
        } catch (IOException failure) {
            throw new LockConfigurationException("memcached cannot be used: " + failure.getMessage(), failure);
        }
    }

    Servers servers() {
        return servers;
    }

    /** Idempotent. */
    void close() {
        servers.all().forEach(Server::close);
        client.removeObserver(servers);
        if (own) {
            client.shutdown();
            awaitEnd(client.getConnection());
            servers.all().forEach(Server::abandon);
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
