// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.spi.BackendException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/**
 * Tells which server has which slot: one server, the master of a Sentinel set, or the masters of a Cluster.
 * Thread-safe.
 */
public interface Topology extends AutoCloseable {
    /** The connections to the server that has a slot, if it is known without asking; else null. */
    @Nullable
    Pool<Connection> known(int slot);

    /**
     * The connections to the servers that have some slots; may ask servers, once for all slots, and blocks meanwhile. A slot
     * that no server has is missing.
     */
    Map<Integer, Pool<Connection>> find(Set<Integer> slots);

    /** The same for one slot; throws {@link BackendException} if no server has it. */
    default Pool<Connection> find(int slot) {
        Pool<Connection> found = find(Set.of(slot)).get(slot);
        if (found == null) {
            throw RedisFailures.unservedSlot(slot);
        }
        return found;
    }

    /** What failures of the servers mean. */
    RedisFailures failures();

    /** The connections to every server that may hold locks; may ask servers, and blocks meanwhile. */
    List<Pool<Connection>> all();

    /** The connections to the server that another one named; may ask servers, and blocks meanwhile. */
    default Pool<Connection> redirected(int slot, JedisRedirectionException redirection) {
        throw redirection;
    }

    /** The server that has a slot could not be reached: it may have been replaced. */
    default void failed(int slot) {}

    /** In a Cluster, the keys of one script must be in one slot, and a listener may be at another server than PUBLISH asks. */
    default boolean isCluster() {
        return false;
    }

    /** Whether another server may take over by itself, which may not have all that this one has answered. */
    default boolean failsOver() {
        return isCluster();
    }

    /** Closes the clients that were made for this; those of the application stay open. */
    @Override
    void close();
}
