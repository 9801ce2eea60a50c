// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.Faults;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** With a user who may do what locks need, and nothing else. */
class RedisTckTest extends LockBackendTck implements Faults {
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = LimitedUser.server("suite");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected String store() {
        return LimitedUser.url(server, "suite");
    }

    @Override
    protected LockBackend open(String store) {
        return new RedisBackendProvider().open(StoreUrl.parse(store));
    }

    @Override
    public void pauseStore() {
        server.pause();
    }

    @Override
    public void resumeStore() {
        server.resume();
    }

    @Override
    public void expireNow(String lock) {
        server.command(
                "PEXPIRE", LockKeys.of(RedisBackendBuilder.DEFAULT_PREFIX, lock).lock(), "0");
    }

    @Override
    public void deleteBehindBack(String lock) {
        LockKeys keys = LockKeys.of(RedisBackendBuilder.DEFAULT_PREFIX, lock);
        server.command("DEL", keys.lock(), keys.token(), keys.queue());
    }
}
