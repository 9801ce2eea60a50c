// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.listening;

import io.mortise.lock.redis.connections.Deadline;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/**
 * Hears who may come next: one connection and one thread for all waiting claims of a client, from the first that waits until
 * nobody waits and the connection ends. When it is lost, everybody who waits looks again and polls until there is another.
 * Thread-safe.
 */
public final class ReleaseListener implements AutoCloseable {
    /** How long a connection may be silent: a bit more than between two pings. */
    public static final int SILENCE_MILLIS = 10_000;

    private static final long PING_MILLIS = 4_000;
    private static final long FIRST_PAUSE = 50_000_000;
    private static final long LONGEST_PAUSE = 1_000_000_000;
    private static final Logger LOG = System.getLogger(ReleaseListener.class.getName());

    private final Supplier<Connection> connecting;
    private final String channel;
    private final Map<Long, Runnable> waiting = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    private @Nullable Thread thread;
    private @Nullable Connection connection;
    private boolean closed;
    private volatile boolean live;

    public ReleaseListener(Supplier<Connection> connecting, String channel) {
        this.connecting = connecting;
        this.channel = channel;
    }

    /** Where this client is called. */
    public String channel() {
        return channel;
    }

    /** Whether calls would be heard now. */
    public boolean isLive() {
        return live;
    }

    /** Has a claim nudged when it is called. Answers its number on the channel. */
    public long register(Runnable nudge) {
        long number = numbers.incrementAndGet();
        waiting.put(number, nudge);
        return number;
    }

    public void unregister(long number) {
        waiting.remove(number);
    }

    /** Begins to listen if need be, and waits until calls are heard. False if that did not come about in time. */
    public boolean awaitLive(Deadline deadline) throws InterruptedException {
        synchronized (this) {
            if (thread == null && !closed) {
                thread = new Thread(null, this::run, "lock-redis-listener", 0, false);
                thread.setDaemon(true);
                thread.start();
            }
            while (!live && !closed && deadline.leftNanos() > 0) {
                wait(deadline.leftMillis());
            }
            return live;
        }
    }

    private void run() {
        long pause = FIRST_PAUSE;
        while (goesOn()) {
            try (Connection opened = connecting.get()) {
                if (use(opened)) {
                    new ReleaseMessages(this).proceed(opened, channel);
                }
            } catch (RuntimeException failure) {
                LOG.log(Level.DEBUG, "the connection that hears of released locks has ended", failure);
            }
            boolean wasLive = live;
            live = false;
            waiting.values().forEach(Runnable::run);
            pause = wasLive ? FIRST_PAUSE : Math.min(LONGEST_PAUSE, pause * 2);
            LockSupport.parkNanos(this, pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2));
        }
    }

    private synchronized boolean goesOn() {
        if (closed || (waiting.isEmpty() && connection != null)) {
            thread = null;
            connection = null;
            return false;
        }
        return true;
    }

    private synchronized boolean use(Connection opened) {
        connection = opened;
        return !closed;
    }

    /** The server has confirmed that this client listens. Whoever was called before could not hear it. */
    synchronized void begun(ReleaseMessages subscription) {
        live = true;
        notifyAll();
        waiting.values().forEach(Runnable::run);
        keepAlive(subscription);
    }

    private void keepAlive(ReleaseMessages subscription) {
        after(PING_MILLIS).execute(() -> {
            if (live && subscription.isSubscribed()) {
                try {
                    subscription.ping();
                    keepAlive(subscription);
                } catch (RuntimeException ended) {
                    LOG.log(Level.DEBUG, "the connection that hears of released locks does not answer", ended);
                }
            }
        });
    }

    /** A free lock is kept for a claim of this client. */
    void called(long number) {
        nudge(number);
    }

    /** A free lock is kept for somebody else; if that one does not come, a claim of this client is next. */
    public void next(long number, long millis) {
        after(millis).execute(() -> nudge(number));
    }

    private void nudge(long number) {
        Runnable nudge = waiting.get(number);
        if (nudge != null) {
            nudge.run();
        }
    }

    private static Executor after(long millis) {
        return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
            notifyAll();
            if (connection != null) {
                try {
                    connection.forceDisconnect();
                } catch (IOException | RuntimeException already) {
                    LOG.log(Level.DEBUG, "the connection was closed already", already);
                }
            }
        }
        if (running != null) {
            LockSupport.unpark(running);
        }
    }
}
