// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.redis.scripts.LockKeys;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.servers.RedisServer;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The suite as an author would adopt it, for whatever lock is the current one. Run by {@link WrongLocksAreCaughtTest} only. */
class WrongLockTck extends LockBackendTck implements RedisCases, RedisQueueCases, Faults {
    static volatile @Nullable RedisServer server;
    static volatile Function<String, LockBackend> lock = url -> {
        throw new IllegalStateException("the test of wrong locks says which lock");
    };

    @Override
    public RedisServer server() {
        return Objects.requireNonNull(server);
    }

    @Override
    public String store() {
        return server().url();
    }

    @Override
    public LockBackend open(String store) {
        return lock.apply(store);
    }

    @Override
    public LockBackend connect(String host, int port) {
        return lock.apply("redis://" + host + ":" + port);
    }

    @Override
    public void expireNow(String lock) {
        server().command("PEXPIRE", Claims.keys(lock).lock(), "0");
    }

    @Override
    public void deleteBehindBack(String lock) {
        LockKeys keys = Claims.keys(lock);
        server().command("DEL", keys.lock(), keys.token(), keys.queue());
    }
}
