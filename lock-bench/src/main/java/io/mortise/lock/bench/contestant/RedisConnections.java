// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

/** A client of Redis with a connection for each thread that is measured. */
final class RedisConnections {
    private static final int MOST = 64;

    private RedisConnections() {}

    static RedisClient open(String host, int port) {
        return open(host, port, MOST);
    }

    static RedisClient open(String host, int port, int most) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(most);
        pool.setMaxIdle(most);
        return RedisClient.builder().hostAndPort(host, port).poolConfig(pool).build();
    }
}
