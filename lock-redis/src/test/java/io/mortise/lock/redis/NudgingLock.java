// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.exceptions.JedisException;

/** The smallest right lock that tells its waiters: it frees and then tells, and listens and then looks. */
class NudgingLock extends SmallLock {
    /** How many tries of all clients were refused. */
    static final AtomicLong REFUSALS = new AtomicLong();

    /** How many locks of all clients were freed. */
    static final AtomicLong FREED = new AtomicLong();

    NudgingLock(String url) {
        super(url);
    }

    @Override
    boolean release(String key, ClaimRequest request) {
        boolean held = super.release(key, request);
        redis.publish(key, "free");
        FREED.incrementAndGet();
        return held;
    }

    /** A first look, then listening, then a second look: the lock may have become free in between. */
    boolean lookAndListen(Look look, Runnable listen, Duration atMost) throws InterruptedException {
        boolean granted = look.look(atMost);
        if (!granted) {
            listen.run();
        }
        return granted || look.look(atMost);
    }

    interface Look {
        boolean look(Duration atMost) throws InterruptedException;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        String key = key(request);
        return new ForwardingClaim(super.claim(request, nudge)) {
            private @Nullable JedisPubSub listener;
            private Duration left = Duration.ZERO;

            @Override
            public boolean tryAcquire(Duration atMost) throws InterruptedException {
                boolean granted;
                if (request.waits() && listener == null) {
                    granted = lookAndListen(this::look, () -> listener = listen(key, nudge), atMost);
                } else {
                    granted = look(atMost);
                }
                if (!granted) {
                    REFUSALS.incrementAndGet();
                }
                return granted;
            }

            private boolean look(Duration atMost) throws InterruptedException {
                boolean granted = super.tryAcquire(atMost);
                left = Duration.ofMillis(granted ? 0 : Math.max(0, redis.pttl(key)));
                return granted;
            }

            @Override
            public boolean release(Duration atMost) {
                if (listener != null && listener.isSubscribed()) {
                    listener.unsubscribe();
                }
                return super.release(atMost);
            }

            @Override
            public Optional<Duration> retryAfter() {
                return Optional.of(left);
            }
        };
    }

    /** Returns when it is heard what is said from now on. */
    private JedisPubSub listen(String key, Runnable nudge) {
        CountDownLatch subscribed = new CountDownLatch(1);
        JedisPubSub listener = new JedisPubSub() {
            @Override
            public void onSubscribe(String channel, int channels) {
                subscribed.countDown();
            }

            @Override
            public void onMessage(String channel, String message) {
                nudge.run();
            }
        };
        new BackgroundTask<>("subscription", () -> {
            redis.subscribe(listener, key);
            return true;
        });
        try {
            if (!subscribed.await(10, TimeUnit.SECONDS)) {
                throw new JedisException("not subscribed");
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new JedisException(interrupt);
        }
        return listener;
    }

    @Override
    public Set<Feature> features() {
        return Set.of(Feature.PROMPT);
    }
}
