// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.foreign.ForeignBackend;
import io.mortise.lock.tck.foreign.Promise;
import io.mortise.lock.tck.foreign.Promises;
import io.mortise.lock.tck.foreign.ThreadOwnedLocks;
import io.mortise.lock.tck.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Spring Integration's {@code RedisLockRegistry}. */
@Promises({
    Promise.EXCLUSION,
    Promise.CLOSING,
    Promise.ANY_NAME,
    Promise.LEASES,
    Promise.OWNERSHIP,
    Promise.TRUE_RELEASES,
    Promise.ENDED_IS_LOST,
    Promise.RENEWALS
})
class SpringRedisLockTck extends LockBackendTck {
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    public String store() {
        return server.host() + ":" + server.port();
    }

    @Override
    public LockBackend open(String store) {
        int colon = store.lastIndexOf(':');
        LettuceConnectionFactory connections =
                new LettuceConnectionFactory(store.substring(0, colon), Integer.parseInt(store.substring(colon + 1)));
        connections.afterPropertiesSet();
        connections.start();
        RedisLockRegistry registry = new RedisLockRegistry(connections, "peers");
        registry.setCacheCapacity(100_000);
        return new ForeignBackend(new ThreadOwnedLocks(
                name -> new SpringLock(registry.obtain(name), lease -> registry.renewLock(name, lease)), () -> {
                    registry.destroy();
                    connections.destroy();
                }));
    }
}
