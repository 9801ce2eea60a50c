// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.util.Pool;

/**
 * One server: it has all slots.
 *
 * @param client its connections
 * @param own whether the client was made for this, and is closed with it
 */
public record SingleServer(RedisClient client, boolean own) implements Topology {
    @Override
    public Pool<Connection> known(int slot) {
        return client.getPool();
    }

    @Override
    public Pool<Connection> find(int slot) {
        return client.getPool();
    }

    @Override
    public List<Pool<Connection>> all() {
        return List.of(client.getPool());
    }

    @Override
    public void close() {
        if (own) {
            client.close();
        }
    }
}
