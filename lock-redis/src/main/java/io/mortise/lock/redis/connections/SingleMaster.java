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
import redis.clients.jedis.util.Pool;

/**
 * Finds the one master that serves all keys: the only server, or the master that Sentinel names.
 *
 * @param <C> what keeps the connections
 */
public final class SingleMaster<C> implements Topology {
    private final LazyClient<C> client;
    private final Function<C, Pool<Connection>> pool;
    private final RedisFailures failures;
    private final boolean failsOver;

    private SingleMaster(LazyClient<C> client, Function<C, Pool<Connection>> pool, String store, boolean failsOver) {
        this.client = client;
        this.pool = pool;
        this.failures = new RedisFailures(store, failsOver);
        this.failsOver = failsOver;
    }

    /** The only server; {@code store} is how messages name it. */
    public static <P extends Pool<Connection>> Topology of(LazyClient<P> server, String store) {
        return new SingleMaster<>(server, known -> known, store, false);
    }

    /** The master of a Sentinel set, which the client finds again after a failover. */
    public static <C> Topology ofSentinels(LazyClient<C> client, Function<C, Pool<Connection>> master, String store) {
        return new SingleMaster<>(client, master, store, true);
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
    public RedisFailures failures() {
        return failures;
    }

    @Override
    public boolean failsOver() {
        return failsOver;
    }

    @Override
    public void close() {
        client.close();
    }
}
