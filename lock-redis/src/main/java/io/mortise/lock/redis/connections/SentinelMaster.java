// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.util.Pool;

/**
 * The master that Sentinels name: it has all slots.
 *
 * @param client finds the master again after a failover
 */
public record SentinelMaster(LazyClient<RedisSentinelClient> client) implements Topology {
    @Override
    public @Nullable Pool<Connection> known(int slot) {
        RedisSentinelClient known = client.known();
        return known == null ? null : pool(known);
    }

    @Override
    public Pool<Connection> find(int slot) {
        return pool(client.get());
    }

    @Override
    public List<Pool<Connection>> all() {
        return List.of(find(0));
    }

    private static Pool<Connection> pool(RedisSentinelClient client) {
        return client.getPrimaryNodesConnectionMap().values().iterator().next();
    }

    @Override
    public void close() {
        client.close();
    }
}
