// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.pipeline;

import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Connects once. A {@link Connection} whose socket is closed connects anew when it is written to; the replies would then be
 * those of other requests, or of another process.
 */
public final class OneSocket implements JedisSocketFactory {
    private final JedisSocketFactory sockets;
    private final AtomicBoolean used = new AtomicBoolean();

    private OneSocket(JedisSocketFactory sockets) {
        this.sockets = sockets;
    }

    /** A new connection, which has logged in. Blocks for the time limit of the configuration at most. */
    public static Connection connect(HostAndPort server, JedisClientConfig config) {
        return new Connection(new OneSocket(new DefaultJedisSocketFactory(server, config)), config);
    }

    @Override
    public Socket createSocket() {
        if (used.getAndSet(true)) {
            throw new JedisConnectionException("this connection was closed");
        }
        return sockets.createSocket();
    }
}
