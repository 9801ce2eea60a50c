// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.util.Pool;

/** Finds the one master that serves all keys: the only server, or the master that Sentinel names. */
public final class SingleMaster<C extends UnifiedJedis> implements Topology {
    private final LazyClient<C> client;
    private final Function<C, Pool<Connection>> pool;

    private SingleMaster(LazyClient<C> client, Function<C, Pool<Connection>> pool) {
        this.client = client;
        this.pool = pool;
    }

    public static Topology of(LazyClient<RedisClient> client) {
        return new SingleMaster<>(client, RedisClient::getPool);
    }

    /** The master of a Sentinel set, which the client finds again after a failover. */
    public static Topology ofSentinels(LazyClient<RedisSentinelClient> client) {
        return new SingleMaster<>(client, sentinels -> sentinels
                .getPrimaryNodesConnectionMap()
                .values()
                .iterator()
                .next());
    }

    @Override
    public @Nullable Pool<Connection> known(int slot) {
        C known = client.known();
        return known == null ? null : pool.apply(known);
    }

    @Override
    public Map<Integer, Pool<Connection>> find(Set<Integer> slots) {
        Pool<Connection> master = pool.apply(client.get());
        return slots.stream().collect(Collectors.toMap(slot -> slot, slot -> master));
    }

    @Override
    public List<Pool<Connection>> all() {
        return List.of(find(0));
    }

    @Override
    public void close() {
        client.close();
    }
}
