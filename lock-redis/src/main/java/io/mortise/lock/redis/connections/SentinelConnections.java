// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.util.Set;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * The connections to the master that the Sentinels of a URL name. jedis finds the master and hears when it changes; its own pool
 * is not used, because only newer versions lend it. Thread-safe.
 */
public final class SentinelConnections implements AutoCloseable {
    private final SentineledConnectionProvider sentinels;
    private final JedisClientConfig config;
    private final GenericObjectPoolConfig<Connection> settings;

    private @Nullable HostAndPort master;
    private @Nullable ConnectionPool pool;
    private boolean closed;

    /** Asks the Sentinels for the master; blocks meanwhile. */
    public SentinelConnections(
            String name,
            Set<HostAndPort> sentinels,
            JedisClientConfig toSentinels,
            JedisClientConfig config,
            GenericObjectPoolConfig<Connection> settings) {
        this.sentinels = new SentineledConnectionProvider(name, config, settings, sentinels, toSentinels);
        this.config = config;
        this.settings = settings;
    }

    /** The master that the Sentinels named last. */
    public HostAndPort master() {
        return sentinels.getCurrentMaster();
    }

    /** The connections to the master that the Sentinels named last. */
    public synchronized Pool<Connection> pool() {
        HostAndPort now = sentinels.getCurrentMaster();
        ConnectionPool known = pool;
        if (known == null || !now.equals(master)) {
            if (known != null) {
                known.close();
            }
            known = new ConnectionPool(now, config, settings);
            master = now;
            pool = known;
            if (closed) {
                known.close();
            }
        }
        return known;
    }

    @Override
    public synchronized void close() {
        closed = true;
        sentinels.close();
        if (pool != null) {
            pool.close();
        }
    }
}
