// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Spring Integration's {@code RedisLockRegistry}, which is told of releases. */
public final class SpringRedisLocks implements Contestant {
    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    public SpringRedisLocks(String host, int port) {
        connections = new LettuceConnectionFactory(host, port);
        connections.afterPropertiesSet();
        connections.start();
        registry = new RedisLockRegistry(connections, "bench");
        registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
    }

    @Override
    public Held acquire(String lock) {
        return Contestant.lock(registry.obtain(lock));
    }

    @Override
    public void close() {
        registry.destroy();
        connections.destroy();
    }
}
