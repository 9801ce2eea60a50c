// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.Faults;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.servers.ClientClock;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MemcachedTckTest extends LockBackendTck implements Faults {
    private static final Keys KEYS = new Keys(Keys.DEFAULT_PREFIX);

    static MemcachedServer server;

    @BeforeAll
    static void start() {
        server = MemcachedServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected String store() {
        return server.url();
    }

    @Override
    protected LockBackend open(String store) {
        return new MemcachedBackendProvider().open(StoreUrl.parse(store));
    }

    @Override
    public Map<String, String> environmentWithClock(Duration ahead) {
        return ClientClock.environment(ahead);
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
        server.command("touch " + KEYS.lock(lock) + " -1");
    }

    @Override
    public void deleteBehindBack(String lock) {
        server.command("delete " + KEYS.lock(lock));
    }
}
