// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.RedisClient;

/** One SET with NX and PX, and every ten seconds a PEXPIRE for each key, all in one go: nobody looks whose key it is by then. */
public final class RedisRenewedFloor implements Contestant {
    private static final long RENEWAL_SECONDS = 10;

    private final RedisClient redis;
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService renewal = Executors.newSingleThreadScheduledExecutor();

    public RedisRenewedFloor(String host, int port) {
        redis = RedisConnections.open(host, port);
        renewal.scheduleAtFixedRate(this::renew, RENEWAL_SECONDS, RENEWAL_SECONDS, TimeUnit.SECONDS);
    }

    private void renew() {
        try (AbstractPipeline pipeline = redis.pipelined()) {
            held.forEach(lock -> pipeline.pexpire(lock, RedisFloor.LEASE_MILLIS));
            pipeline.sync();
        }
    }

    @Override
    public Held acquire(String lock) {
        String unused = RedisFloor.take(redis, lock);
        held.add(lock);
        return () -> {
            held.remove(lock);
            redis.del(lock);
        };
    }

    @Override
    public void close() {
        renewal.shutdownNow();
        redis.close();
    }
}
