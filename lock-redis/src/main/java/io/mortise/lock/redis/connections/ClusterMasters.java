// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/**
 * Finds the masters of a Redis Cluster, one for each slot. Remembers them until a server says otherwise or cannot be
 * reached.
 */
public final class ClusterMasters implements Topology {
    private static final int MASTER_OF_A_RANGE = 2;

    private final LazyClient<RedisClusterClient> client;
    private final Map<Integer, String> masters = new ConcurrentHashMap<>();
    private volatile boolean outdated;

    public ClusterMasters(LazyClient<RedisClusterClient> client) {
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
            Pool<Connection> pool = pool(cluster, master);
            masters.put(slot, master);
            return pool;
        } catch (RuntimeException failure) {
            outdated = true;
            throw failure;
        }
    }

    /** The masters as they are now. Replicas are left out: they hold no other locks, and may be down. */
    @Override
    public List<Pool<Connection>> all() {
        RedisClusterClient cluster = client.get();
        cluster.refreshClusterTopology();
        Set<Pool<Connection>> masters = new LinkedHashSet<>();
        try (Connection connection = cluster.getConnectionFromSlot(0)) {
            connection.sendCommand(Command.CLUSTER, "SLOTS");
            for (Object range : (List<?>) connection.getOne()) {
                List<?> master = (List<?>) ((List<?>) range).get(MASTER_OF_A_RANGE);
                masters.add(pool(cluster, RedisReply.text(master.get(0)) + ":" + RedisReply.text(master.get(1))));
            }
        }
        return List.copyOf(masters);
    }

    private static Pool<Connection> pool(RedisClusterClient cluster, String server) {
        Pool<Connection> pool = cluster.getClusterNodes().get(server);
        if (pool == null) {
            throw new IllegalStateException("the cluster does not list " + server);
        }
        return pool;
    }

    @Override
    public Pool<Connection> redirected(int slot, JedisRedirectionException redirection) {
        RedisClusterClient cluster = client.get();
        String target = redirection.getTargetNode().toString();
        if (!cluster.getClusterNodes().containsKey(target)) {
            cluster.refreshClusterTopology();
        }
        ConnectionPool pool = cluster.getClusterNodes().get(target);
        if (pool == null) {
            throw redirection;
        }
        if (!(redirection instanceof JedisAskDataException)) {
            masters.put(slot, target);
            outdated = true;
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
    public boolean isCluster() {
        return true;
    }

    @Override
    public void close() {
        client.close();
    }
}
