// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.util.function.BiFunction;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RLock}s with their watchdog. */
public final class RedissonLocks implements Contestant {
    private final RedissonClient client;
    private final BiFunction<RedissonClient, String, RLock> kind;

    public RedissonLocks(String url) {
        this(url, RedissonClient::getLock);
    }

    /** Those of another kind. */
    public RedissonLocks(String url, BiFunction<RedissonClient, String, RLock> kind) {
        this.kind = kind;
        Config config = new Config();
        // The store's requests are counted while others have their turn: no pings of idle connections.
        config.useSingleServer().setAddress(url).setPingConnectionInterval(0);
        client = Redisson.create(config);
    }

    @Override
    public Held acquire(String lock) {
        return Contestant.lock(kind.apply(client, lock));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
