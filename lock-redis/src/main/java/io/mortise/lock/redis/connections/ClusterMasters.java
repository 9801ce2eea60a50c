// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/**
 * Finds the masters of a Redis Cluster, one for each slot. Remembers them until a server says otherwise or cannot be
 * reached. Then asks any server for the masters of all slots: jedis, which finds one slot at a time, would first connect to the
 * slot's master, and wait for each slot of a master that does not answer.
 */
public final class ClusterMasters implements Topology {
    private final LazyClient<? extends ClusterNodes> client;
    private final RedisFailures failures;
    private final Map<Integer, String> masters = new ConcurrentHashMap<>();

    /** {@code store} is how messages name the Cluster. */
    public ClusterMasters(LazyClient<? extends ClusterNodes> client, String store) {
        this.client = client;
        failures = new RedisFailures(store, true);
    }

    @Override
    public @Nullable Pool<Connection> known(int slot) {
        ClusterNodes cluster = client.known();
        String master = masters.get(slot);
        return cluster == null || master == null ? null : cluster.pools().get(master);
    }

    @Override
    public Map<Integer, Pool<Connection>> find(Set<Integer> slots) {
        ClusterNodes cluster = client.get();
        List<SlotRange> ranges = ranges(cluster);
        Map<Integer, Pool<Connection>> found = new HashMap<>();
        for (int slot : slots) {
            for (SlotRange range : ranges) {
                Pool<Connection> pool = cluster.pools().get(range.master);
                if (range.has(slot) && pool != null) {
                    found.put(slot, pool);
                    masters.put(slot, range.master);
                }
            }
        }
        return found;
    }

    /** The masters as they are now. Replicas are left out: they hold no other locks, and may be down. */
    @Override
    public List<Pool<Connection>> all() {
        ClusterNodes cluster = client.get();
        return ranges(cluster).stream()
                .map(range -> range.master)
                .distinct()
                .map(master -> pool(cluster, master))
                .toList();
    }

    /** The slots and their masters as one server knows them: the first that answers. The client then knows these masters, too. */
    private List<SlotRange> ranges(ClusterNodes cluster) {
        List<SlotRange> ranges = askForRanges(cluster);
        if (!ranges.stream().allMatch(range -> cluster.pools().containsKey(range.master))) {
            cluster.refresh();
        }
        return ranges;
    }

    private List<SlotRange> askForRanges(ClusterNodes cluster) {
        RuntimeException noAnswer = new IllegalStateException("the cluster lists no servers");
        for (Pool<Connection> server : inOrderOfTrust(cluster)) {
            try (Connection connection = server.getResource()) {
                connection.sendCommand(Command.CLUSTER, "SLOTS");
                return ((List<?>) connection.getOne())
                        .stream().map(range -> SlotRange.of((List<?>) range)).toList();
            } catch (JedisException failure) {
                noAnswer = failure;
            }
        }
        throw noAnswer;
    }

    /** In a random order, since any server may be behind; but a master that could not be reached comes after the others. */
    private List<Pool<Connection>> inOrderOfTrust(ClusterNodes cluster) {
        Set<String> reached = new HashSet<>(masters.values());
        List<Map.Entry<String, ConnectionPool>> servers =
                new ArrayList<>(cluster.pools().entrySet());
        Collections.shuffle(servers);
        servers.sort(Comparator.comparing(server -> !reached.contains(server.getKey())));
        return servers.stream().<Pool<Connection>>map(Map.Entry::getValue).toList();
    }

    private static Pool<Connection> pool(ClusterNodes cluster, String server) {
        Pool<Connection> pool = cluster.pools().get(server);
        if (pool == null) {
            throw new IllegalStateException("the cluster does not list " + server);
        }
        return pool;
    }

    @Override
    public Pool<Connection> redirected(int slot, JedisRedirectionException redirection) {
        ClusterNodes cluster = client.get();
        String target = redirection.getTargetNode().toString();
        if (!cluster.pools().containsKey(target)) {
            cluster.refresh();
        }
        ConnectionPool pool = cluster.pools().get(target);
        if (pool == null) {
            throw redirection;
        }
        if (!(redirection instanceof JedisAskDataException)) {
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
    }

    @Override
    public RedisFailures failures() {
        return failures;
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public void close() {
        client.close();
    }

    /** Neighbouring slots of one master, as CLUSTER SLOTS tells them. */
    private record SlotRange(long first, long last, String master) {
        private static final int MASTER = 2;

        static SlotRange of(List<?> reply) {
            List<?> master = (List<?>) reply.get(MASTER);
            return new SlotRange(
                    (Long) reply.get(0),
                    (Long) reply.get(1),
                    RedisReply.text(master.get(0)) + ":" + RedisReply.text(master.get(1)));
        }

        boolean has(int slot) {
            return first <= slot && slot <= last;
        }
    }
}
