// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.net.SocketTimeoutException;
import java.util.concurrent.Executor;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/**
 * A connection for one call, given back when closed.
 *
 * @param pool where it comes from
 * @param connection used by one thread
 * @param discarding where broken ones are given back: the pool connects anew in exchange
 */
public record PooledConnection(Pool<Connection> pool, Connection connection, Executor discarding)
        implements AutoCloseable {
    /** The connection failed. If the server has closed it, the others that lie in the pool are no better. */
    public void failed(JedisConnectionException failure) {
        connection.setBroken();
        if (!(failure.getCause() instanceof SocketTimeoutException)) {
            pool.clear();
        }
    }

    @Override
    public void close() {
        if (isSound()) {
            pool.returnResource(connection);
        } else {
            discarding.execute(this::discard);
        }
    }

    private void discard() {
        try {
            pool.returnBrokenResource(connection);
        } catch (JedisException nobodyAnswers) {
            // Then there is no other connection in exchange.
        }
    }

    private boolean isSound() {
        try {
            connection.rollbackTimeout();
        } catch (JedisConnectionException broken) {
            // What was answered before counts.
            connection.setBroken();
        }
        return !connection.isBroken();
    }
}
