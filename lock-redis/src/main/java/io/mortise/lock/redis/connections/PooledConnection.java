// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.spi.support.CallDeadline;
import java.util.concurrent.Executor;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/**
 * A connection that a call has borrowed from a pool and that goes back to the pool when this is closed. Used by one thread.
 *
 * @param isFresh whether it was made for this call, so that nothing can have happened to it while it was idle
 * @param uses remembers when the connection was used
 * @param discarder runs what gives back a broken connection: the pool then connects anew, which takes time
 */
public record PooledConnection(
        Pool<Connection> pool, Connection connection, boolean isFresh, ConnectionUses uses, Executor discarder)
        implements AutoCloseable {
    /** The share of a call's time after which a test of an idle connection has failed. */
    private static final int PARTS = 4;

    private static final int LONGEST_TEST_MILLIS = 500;

    /** The connection failed, or nothing came back: the idle ones of the pool are no better. */
    public void failed() {
        connection.setBroken();
        pool.clear();
    }

    /** Whether the server still hears this connection, which is asked only if it was idle for long. */
    boolean isAlive(CallDeadline deadline) {
        if (!uses.wasIdleForLong(connection)) {
            return true;
        }
        try {
            connection.setSoTimeout(Math.min(LONGEST_TEST_MILLIS, Math.max(1, deadline.remainingMillis() / PARTS)));
            connection.sendCommand(Command.PING);
            connection.getOne();
            return true;
        } catch (JedisDataException anyAnswer) {
            return true;
        } catch (JedisConnectionException silent) {
            return false;
        }
    }

    @Override
    public void close() {
        if (isSound()) {
            uses.used(connection);
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
