// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.StoreIncarnation;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.Pool;

/**
 * Sends what one call asks one server. Each method blocks until the answer is there, at most until the call's deadline, and throws
 * {@link JedisDataException} if the server answered with an error, {@link JedisConnectionException} or {@link BackendException} if there
 * is no answer. Used by one thread.
 */
public interface ScriptSender {
    /** The answer of one script. */
    Object run(ScriptCall call) throws InterruptedException;

    /** Removes a member from a sorted set without a script. Whether it was in there. */
    boolean remove(String sortedSet, String member) throws InterruptedException;

    /** Throws {@link BackendException} if not enough replicas have in time all that was written by this call. */
    void confirm(Replication replication);

    /** Stands for the server: where another one takes its place, its connections come from another pool. */
    Pool<Connection> server();

    /** The connection of this call alone; null if other calls send over it as well. */
    @Nullable
    Connection connection();

    /** The incarnation that gave the last answer, where that is known without asking. */
    @Nullable
    StoreIncarnation answeredBy();
}
