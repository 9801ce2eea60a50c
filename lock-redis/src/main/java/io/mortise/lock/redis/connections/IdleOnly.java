// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.HostAndPortMapper;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Keeps threads from connecting that came to a pool for an idle connection, since connecting has time limits of its own: the pool
 * connects where another thread took the idle connection first. To be the mapper of the clients that fill the pool, as they ask
 * it whenever they connect. Thread-safe.
 */
public final class IdleOnly implements HostAndPortMapper {
    private static final ThreadLocal<Boolean> IDLE_ONLY = ThreadLocal.withInitial(() -> false);

    /** There was no idle connection any more. */
    static final class NoneIdle extends JedisConnectionException {
        private static final long serialVersionUID = 1;

        NoneIdle() {
            super("another thread took the idle connection first");
        }
    }

    /** Marks the calling thread until this is closed. */
    static final class Mark implements AutoCloseable {
        Mark() {
            IDLE_ONLY.set(true);
        }

        @Override
        public void close() {
            IDLE_ONLY.remove();
        }
    }

    @Override
    public HostAndPort getHostAndPort(HostAndPort server) {
        if (IDLE_ONLY.get()) {
            throw new NoneIdle();
        }
        return server;
    }
}
