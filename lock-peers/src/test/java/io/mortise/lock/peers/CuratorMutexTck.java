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
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Curator's {@code InterProcessMutex}. It has no leases: a lock ends with its session. Names are paths. */
@Promises({Promise.EXCLUSION, Promise.CLOSING})
class CuratorMutexTck extends LockBackendTck {
    private static ZooKeeperServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    public String store() {
        return server.connectString();
    }

    @Override
    public LockBackend open(String store) {
        CuratorFramework client = CuratorFrameworkFactory.newClient(store, new ExponentialBackoffRetry(100, 5));
        client.start();
        return new ForeignBackend(
                new ThreadOwnedLocks(name -> new Held(new InterProcessMutex(client, "/locks/" + name)), client::close));
    }

    private record Held(InterProcessMutex mutex) implements ThreadOwnedLock {
        @Override
        public boolean tryLock(Duration lease) throws Exception {
            return mutex.acquire(0, TimeUnit.MILLISECONDS);
        }

        @Override
        public boolean unlock() throws Exception {
            mutex.release();
            return true;
        }
    }
}
