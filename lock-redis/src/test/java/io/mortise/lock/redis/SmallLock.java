// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.redis.scripts.KeyText;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/** The smallest right lock in Redis: no tokens, no queue. The wrong locks are this one with one step replaced. */
class SmallLock implements LockBackend {
    private static final String IF_MINE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return ";

    final RedisClient redis;

    SmallLock(String url) {
        redis = RedisClient.create(url);
    }

    boolean tryAcquire(String key, ClaimRequest request) {
        String millis = Long.toString(request.lease().toMillis());
        return redis.set(
                                key,
                                request.owner(),
                                SetParams.setParams().nx().px(request.lease().toMillis()))
                        != null
                || ifMine(key, request, "redis.call('PEXPIRE', KEYS[1], " + millis + ")");
    }

    boolean renew(String key, ClaimRequest request, Duration lease) {
        return ifMine(key, request, "redis.call('PEXPIRE', KEYS[1], " + lease.toMillis() + ")");
    }

    boolean release(String key, ClaimRequest request) {
        return ifMine(key, request, "redis.call('DEL', KEYS[1])");
    }

    final boolean ifMine(String key, ClaimRequest request, String then) {
        Object answer = redis.eval(IF_MINE + then + " end return 0", List.of(key), List.of(request.owner()));
        return Long.valueOf(1).equals(answer);
    }

    /**
     * The thread is not running until somebody has come between: what happens once in a million times, now. Counts its looks, one
     * in a millisecond at most: while the whole machine stands still, nobody can come.
     */
    static void unlucky(Duration atMost, BooleanSupplier somebodyCame) {
        for (long looks = atMost.toMillis(); looks > 0 && !somebodyCame.getAsBoolean(); looks--) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    static String key(ClaimRequest request) {
        return "small:{" + KeyText.encode(request.lock()) + "}";
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        String key = key(request);
        return new Claim() {
            @Override
            public boolean tryAcquire(Duration atMost) {
                return answered(it -> SmallLock.this.tryAcquire(key, it));
            }

            @Override
            public boolean renew(Duration lease, Duration atMost) {
                return answered(it -> SmallLock.this.renew(key, it, lease));
            }

            @Override
            public boolean release(Duration atMost) {
                return answered(it -> SmallLock.this.release(key, it));
            }

            private boolean answered(Predicate<ClaimRequest> question) {
                try {
                    return question.test(request);
                } catch (JedisException unknown) {
                    throw new BackendException("no answer", unknown);
                }
            }
        };
    }

    @Override
    public Set<Feature> features() {
        return Set.of();
    }

    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.SINGLE_STORE;
    }

    @Override
    public void close() {
        redis.close();
    }
}
