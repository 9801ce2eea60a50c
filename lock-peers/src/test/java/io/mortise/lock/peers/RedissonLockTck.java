// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.foreign.ForeignBackend;
import io.mortise.lock.tck.foreign.Promise;
import io.mortise.lock.tck.foreign.Promises;
import io.mortise.lock.tck.foreign.ThreadOwnedLocks;
import io.mortise.lock.tck.foreign.ThreadOwnedLocks.ThreadOwnedLock;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RLock} with a lease time. */
@Promises({
    Promise.EXCLUSION,
    Promise.CLOSING,
    Promise.ANY_NAME,
    Promise.LEASES,
    Promise.OWNERSHIP,
    Promise.OWNERSHIP_IN_ONE_CLIENT,
    Promise.TRUE_RELEASES,
    Promise.ENDED_IS_LOST
})
class RedissonLockTck extends LockBackendTck {
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
        return "redis://" + server.host() + ":" + server.port();
    }

    @Override
    public LockBackend open(String store) {
        Config config = new Config();
        config.useSingleServer().setAddress(store).setConnectionPoolSize(8).setConnectionMinimumIdleSize(1);
        RedissonClient client = Redisson.create(config);
        return new ForeignBackend(new ThreadOwnedLocks(name -> new Held(client.getLock(name)), client::shutdown));
    }

    private record Held(RLock lock) implements ThreadOwnedLock {
        @Override
        public boolean tryLock(Duration lease) throws InterruptedException {
            return lock.tryLock(0, lease.toMillis(), TimeUnit.MILLISECONDS);
        }

        /** There is no way to renew. */
        @Override
        public boolean renew(Duration lease) {
            return lock.isHeldByCurrentThread();
        }

        @Override
        public boolean unlock() {
            lock.unlock();
            return true;
        }
    }
}
