// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.Variant;
import io.mortise.lock.tck.servers.RedisSentinels;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A Sentinel set whose replicas confirm every grant and every renewal. */
@Variant(
        of = RedisTckTest.class,
        rules = {"A", "C", "D", "F1", "G", "H3", "H4", "H5", "I", "J", "K", "M", "O"})
class RedisSentinelTckTest extends LockBackendTck implements RedisFaults {
    private static RedisSentinels sentinels;

    @BeforeAll
    static void start() {
        sentinels = RedisSentinels.start("appendonly yes");
    }

    @AfterAll
    static void stop() {
        sentinels.close();
    }

    @Override
    public String store() {
        return sentinels.url() + "?replicas=2";
    }

    @Override
    public LockBackend open(String store) {
        return new RedisBackendProvider().open(StoreUrl.parse(store));
    }

    @Override
    public List<RedisServer> servers() {
        return sentinels.servers();
    }

    @Override
    public RedisServer serverOf(String key) {
        return sentinels.master();
    }

    @Override
    public void resumeStore() {
        RedisFaults.super.resumeStore();
        sentinels.awaitHealthy();
    }

    @Override
    public void restartStore() {
        RedisFaults.super.restartStore();
        sentinels.awaitHealthy();
    }

    /** Replicas would bring the data back to a master that was started without. */
    @Override
    public void restartStoreEmpty() {
        sentinels.master().replicate(2, "FLUSHALL");
        restartStore();
    }
}
