// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.util.Map;
import java.util.Set;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/** The connections to a Cluster that a URL names; its class in jedis is the same in all versions, unlike the clients. Thread-safe. */
public final class ClusterConnections implements ClusterNodes, AutoCloseable {
    private final ClusterConnectionProvider provider;

    /** Asks one of the servers for all; blocks meanwhile. */
    public ClusterConnections(
            Set<HostAndPort> nodes, JedisClientConfig config, GenericObjectPoolConfig<Connection> pool) {
        provider = new ClusterConnectionProvider(nodes, config, pool);
    }

    @Override
    public Map<String, ConnectionPool> pools() {
        return provider.getNodes();
    }

    @Override
    public void refresh() {
        provider.renewSlotCache();
    }

    @Override
    public void close() {
        provider.close();
    }
}
