// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.Variant;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Redis that writes to disk what it answers, and so keeps a register, too. */
@Variant(
        of = RedisTckTest.class,
        rules = {"A1", "O", "V", "W"})
class RedisRegisterTckTest extends LockBackendTck implements Faults {
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    public String store() {
        return server.url();
    }

    @Override
    public LockBackend open(String store) {
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
    public void restartStore() {
        server.restart();
    }

    @Override
    public void restartStoreEmpty() {
        server.restartEmpty();
    }
}
