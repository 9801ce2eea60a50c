// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.Faults;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.servers.RedisSentinels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A Sentinel set whose replicas confirm every grant and every renewal. */
class RedisSentinelTckTest extends LockBackendTck implements Faults {
    private static RedisSentinels sentinels;

    @BeforeAll
    static void start() {
        sentinels = RedisSentinels.start();
    }

    @AfterAll
    static void stop() {
        sentinels.close();
    }

    @Override
    protected String store() {
        return sentinels.url() + "?replicas=2";
    }

    @Override
    protected LockBackend open(String store) {
        return new RedisBackendProvider().open(StoreUrl.parse(store));
    }

    @Override
    public void expireNow(String lock) {
        sentinels
                .master()
                .command(
                        "PEXPIRE",
                        LockKeys.of(RedisBackendBuilder.DEFAULT_PREFIX, lock).lock(),
                        "0");
    }

    @Override
    public void deleteBehindBack(String lock) {
        LockKeys keys = LockKeys.of(RedisBackendBuilder.DEFAULT_PREFIX, lock);
        sentinels.master().command("DEL", keys.lock(), keys.token(), keys.queue());
    }
}
