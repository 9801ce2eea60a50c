// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** One SET with NX and PX, and one script that compares before it deletes. Has no waiting. */
public final class RedisFloor implements Contestant {
    static final String RELEASE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    static final long LEASE_MILLIS = 30_000;

    private final RedisClient redis;
    private final String release;

    public RedisFloor(String host, int port) {
        redis = RedisConnections.open(host, port);
        release = redis.scriptLoad(RELEASE);
    }

    @Override
    public Held acquire(String lock) {
        String owner = take(redis, lock);
        return () -> redis.evalsha(release, List.of(lock), List.of(owner));
    }

    /** Sets the key of a lock that is free, and answers what it says. */
    static String take(RedisClient redis, String lock) {
        String owner = Long.toHexString(ThreadLocalRandom.current().nextLong());
        if (redis.set(lock, owner, SetParams.setParams().nx().px(LEASE_MILLIS)) == null) {
            throw new IllegalStateException("somebody holds " + lock);
        }
        return owner;
    }

    @Override
    public void close() {
        redis.close();
    }
}
