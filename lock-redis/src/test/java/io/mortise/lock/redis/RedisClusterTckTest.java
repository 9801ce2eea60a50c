// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.Faults;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.servers.RedisCluster;
import io.mortise.lock.tck.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisClusterTckTest extends LockBackendTck implements Faults {
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected String store() {
        return cluster.url();
    }

    @Override
    protected LockBackend open(String store) {
        return new RedisBackendProvider().open(StoreUrl.parse(store));
    }

    @Override
    public void pauseStore() {
        cluster.nodes().forEach(RedisServer::pause);
    }

    @Override
    public void resumeStore() {
        cluster.nodes().forEach(RedisServer::resume);
        cluster.awaitHealthy();
    }

    @Override
    public void expireNow(String lock) {
        String key = LockKeys.of(RedisBackendBuilder.DEFAULT_PREFIX, lock).lock();
        cluster.masterOf(key).command("PEXPIRE", key, "0");
    }

    @Override
    public void deleteBehindBack(String lock) {
        LockKeys keys = LockKeys.of(RedisBackendBuilder.DEFAULT_PREFIX, lock);
        cluster.masterOf(keys.lock()).command("DEL", keys.lock(), keys.token(), keys.queue());
    }
}
