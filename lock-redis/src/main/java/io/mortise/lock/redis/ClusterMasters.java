// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/** Each slot has a master of its own. Remembers which, until a server says otherwise or cannot be reached. */
final class ClusterMasters implements Topology {
    private final LateClient<RedisClusterClient> client;
    private final Map<Integer, String> masters = new ConcurrentHashMap<>();
    private volatile boolean outdated;

    ClusterMasters(LateClient<RedisClusterClient> client) {
        this.client = client;
    }

    @Override
    public @Nullable Pool<Connection> known(int slot) {
        RedisClusterClient cluster = client.known();
        String master = masters.get(slot);
        return cluster == null || master == null
                ? null
                : cluster.getClusterNodes().get(master);
    }

    @Override
    public Pool<Connection> find(int slot) {
        RedisClusterClient cluster = client.get();
        if (outdated) {
            outdated = false;
            cluster.refreshClusterTopology();
        }
        try (Connection connection = cluster.getConnectionFromSlot(slot)) {
            String master = connection.getHostAndPort().toString();
            Pool<Connection> pool = cluster.getClusterNodes().get(master);
            if (pool == null) {
                throw new IllegalStateException("the cluster does not list " + master);
            }
            masters.put(slot, master);
            return pool;
        } catch (RuntimeException failure) {
            outdated = true;
            throw failure;
        }
    }

    @Override
    public List<Pool<Connection>> all() {
        return List.copyOf(client.get().getClusterNodes().values());
    }

    @Override
    public Pool<Connection> redirected(int slot, JedisRedirectionException redirection) {
        RedisClusterClient cluster = client.get();
        String target = redirection.getTargetNode().toString();
        boolean moved = !(redirection instanceof JedisAskDataException);
        if (moved || !cluster.getClusterNodes().containsKey(target)) {
            cluster.refreshClusterTopology();
        }
        ConnectionPool pool = cluster.getClusterNodes().get(target);
        if (pool == null) {
            throw redirection;
        }
        if (moved) {
            masters.put(slot, target);
        }
        return pool;
    }

    @Override
    public void failed(int slot) {
        String master = masters.remove(slot);
        if (master != null) {
            masters.values().removeIf(master::equals);
        }
        outdated = true;
    }

    @Override
    public boolean countsListeners() {
        return false;
    }

    @Override
    public void close() {
        client.close();
    }
}
