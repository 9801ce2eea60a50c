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
 * A connection that a call has borrowed from a pool and that goes back to the pool when this is closed. Used by one thread.
 *
 * @param discarder runs what gives back a broken connection: the pool then connects anew, which takes time
 */
public record PooledConnection(Pool<Connection> pool, Connection connection, Executor discarder)
        implements AutoCloseable {
    /** The connection failed. If the server has closed it, the idle ones of the pool are no better. */
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
            discarder.execute(this::discard);
        }
    }

    private void discard() {
        try {
            pool.returnBrokenResource(connection);
        } catch (JedisException noAnswer) {
            // Then the pool has one connection less.
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
