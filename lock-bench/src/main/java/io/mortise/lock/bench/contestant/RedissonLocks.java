// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RLock} with its watchdog. */
public final class RedissonLocks implements Contestant {
    private final RedissonClient client;

    public RedissonLocks(String url) {
        Config config = new Config();
        // The store's requests are counted while others have their turn: no pings of idle connections.
        config.useSingleServer().setAddress(url).setPingConnectionInterval(0);
        client = Redisson.create(config);
    }

    @Override
    public Held acquire(String lock) {
        return Contestant.lock(client.getLock(lock));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
