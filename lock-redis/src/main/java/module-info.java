// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks in Redis.
 *
 * @provides io.mortise.lock.spi.LockBackendProvider the {@code redis:} backends
 */
module io.mortise.lock.redis {
    requires transitive io.mortise.lock;
    requires transitive redis.clients.jedis;
    requires static transitive org.jspecify;
    requires org.apache.commons.pool2; // jedis, an automatic module, cannot ask for it
    requires org.slf4j; // the same

    exports io.mortise.lock.redis;

    provides io.mortise.lock.spi.LockBackendProvider with
            io.mortise.lock.redis.RedisBackendProvider;
}
