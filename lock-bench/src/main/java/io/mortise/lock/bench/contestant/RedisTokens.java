// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** One element of a list that is popped and pushed again: the fewest commands that hand a lock over. Whoever dies keeps it for ever. */
public final class RedisTokens implements Contestant {
    private final RedisClient redis;

    public RedisTokens(String host, int port) {
        redis = RedisConnections.open(host, port);
    }

    @Override
    public Held acquire(String lock) {
        if (redis.set(lock + "-made", "", SetParams.setParams().nx()) != null) {
            redis.lpush(lock, "token");
        }
        if (redis.blpop(60, lock) == null) {
            throw new IllegalStateException(lock + " has not become free");
        }
        return () -> redis.lpush(lock, "token");
    }

    @Override
    public void close() {
        redis.close();
    }
}
