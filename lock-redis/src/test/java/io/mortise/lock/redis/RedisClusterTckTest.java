// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.Variant;
import io.mortise.lock.tck.servers.RedisCluster;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@Variant(
        of = RedisTckTest.class,
        rules = {"A", "B", "C", "D", "F1", "G7", "H3", "H4", "H5", "I", "J", "K", "M", "O", "R", "W"})
class RedisClusterTckTest extends LockBackendTck implements RedisFaults {
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start("appendonly yes");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    public String store() {
        return cluster.url();
    }

    @Override
    public LockBackend open(String store) {
        return new RedisBackendProvider().open(StoreUrl.parse(store));
    }

    @Override
    public List<RedisServer> servers() {
        return cluster.nodes();
    }

    @Override
    public RedisServer serverOf(String key) {
        return cluster.masterOf(key);
    }

    @Override
    public void resumeStore() {
        RedisFaults.super.resumeStore();
        cluster.awaitHealthy();
    }

    @Override
    public void restartStore() {
        RedisFaults.super.restartStore();
        cluster.awaitHealthy();
    }

    /** Started without anything it would be no cluster. */
    @Override
    public void restartStoreEmpty() {
        cluster.flush();
        restartStore();
    }
}
