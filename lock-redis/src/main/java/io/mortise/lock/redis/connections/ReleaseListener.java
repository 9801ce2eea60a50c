// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.PollDelay;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Listens for the messages (pub/sub) that tell of released locks, and nudges the claims that they are for. One
 * connection and one daemon thread serve all waiting claims of a client; they start with the first claim that waits,
 * and end when none waits and the connection is lost. When the connection is lost while claims wait, all of them are
 * nudged and poll until there is another. Thread-safe.
 */
public final class ReleaseListener implements AutoCloseable {
    /** After how long without a message a connection counts as dead: a bit more than between two pings. */
    public static final int SILENCE_MILLIS = 10_000;

    private static final long PING_MILLIS = 4_000;

    /** What a claim is told when any message may have been missed. */
    private static final String MISSED = "call";

    /** How long after a grant the last in the queue looks whether it was confirmed, as WATCH of common.lua says. */
    private static final long WATCH_MILLIS = 700;

    private static final Logger LOG = System.getLogger(ReleaseListener.class.getName());

    private final Supplier<Connection> connecting;
    private final String channel;
    private final Map<Long, Consumer<String>> claims = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private final ScheduledExecutorService timer = timer();

    private @Nullable Thread thread;
    private @Nullable Connection connection;
    private boolean closed;

    /** Used by the thread that listens. */
    private boolean isReported;

    private volatile boolean live;

    /** {@code connecting} opens a connection; {@code channel} is one that nobody else listens on. */
    public ReleaseListener(Supplier<Connection> connecting, String channel) {
        this.connecting = connecting;
        this.channel = channel;
    }

    public String channel() {
        return channel;
    }

    public boolean isLive() {
        return live;
    }

    /**
     * Registers what hears the messages for a claim: {@code call}: it is to look. {@code watch}: it is to look whether a grant to
     * another one was confirmed, which is heard when that is due. {@code granted OWNER TOKEN}: that owner has been granted the lock, and
     * is to confirm it.
     *
     * @param claim quick, never throws
     * @return the claim's number on the channel
     */
    public long register(Consumer<String> claim) {
        long id = lastId.incrementAndGet();
        claims.put(id, claim);
        return id;
    }

    public void unregister(long id) {
        claims.remove(id);
    }

    /** Begins to listen if need be, and waits until messages are heard. False if they are not heard in time. */
    public boolean awaitLive(CallDeadline deadline) throws InterruptedException {
        synchronized (this) {
            if (thread == null && !closed) {
                Thread starting = daemon("lock-redis-listener", this::run);
                starting.start();
                thread = starting;
            }
            while (!live && !closed && !deadline.hasPassed()) {
                TimeUnit.NANOSECONDS.timedWait(this, deadline.remainingNanos());
            }
            return live;
        }
    }

    private void run() {
        PollDelay pauses = new PollDelay(Duration.ofMillis(50), Duration.ofSeconds(1));
        while (goesOn()) {
            try {
                listen();
            } catch (Throwable failure) {
                // An error of the JVM too: no other thread would listen in its place.
                report(failure);
            }
            if (live) {
                pauses.reset();
                isReported = false;
            }
            live = false;
            nudgeAll();
            LockSupport.parkNanos(this, pauses.nextNanos());
        }
    }

    private void listen() {
        try (Connection opened = connecting.get()) {
            if (use(opened)) {
                new Subscription().proceed(opened, channel);
            }
        }
    }

    /** What will not pass by itself is told once: the waiting claims poll then, and nobody would know why. */
    private void report(Throwable failure) {
        boolean passes = failure instanceof RuntimeException && !(failure instanceof JedisDataException);
        Level level = passes || isReported ? Level.DEBUG : Level.WARNING;
        isReported |= !passes;
        try {
            LOG.log(
                    level,
                    "released locks cannot be heard of, and so waiting claims ask again and again",
                    RedisFailures.withoutArguments(failure));
        } catch (Throwable outOfMemory) {
            // It goes on all the same.
        }
    }

    private synchronized boolean goesOn() {
        if (closed || (claims.isEmpty() && connection != null)) {
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

    private void nudgeAll() {
        claims.values().forEach(claim -> claim.accept(MISSED));
    }

    private void tell(long id, String message) {
        Consumer<String> claim = claims.get(id);
        if (claim != null) {
            claim.accept(message);
        }
    }

    /** Reads the messages of one connection. Nothing in here throws: jedis would go on using a connection that is spoilt. */
    private final class Subscription extends JedisPubSub {
        /** Messages are heard from now on. Those sent before were not. */
        @Override
        public void onSubscribe(String subscribed, int subscriptions) {
            synchronized (ReleaseListener.this) {
                live = true;
                ReleaseListener.this.notifyAll();
                // Within the monitor: a claim that waits for this registers later, and needs no nudge.
                nudgeAll();
            }
            keepAlive();
        }

        private void keepAlive() {
            after(PING_MILLIS, () -> {
                if (live && isSubscribed()) {
                    try {
                        ping();
                        keepAlive();
                    } catch (RuntimeException ended) {
                        LOG.log(Level.DEBUG, "the connection that listens for released locks does not answer", ended);
                    }
                }
            });
        }

        /** The word, the number of the claim, and what else there is to say. */
        @Override
        public void onMessage(String from, String message) {
            String[] parts = message.split(" ", 3);
            if (parts.length < 2) {
                return;
            }
            try {
                long id = Long.parseLong(parts[1]);
                switch (parts[0]) {
                    case "call" -> tell(id, parts[0]);
                    case "watch" -> after(WATCH_MILLIS, () -> tell(id, parts[0]));
                    case "granted" -> tell(id, parts.length < 3 ? parts[0] : parts[0] + " " + parts[2]);
                    default -> {}
                }
            } catch (NumberFormatException foreign) {
                // somebody else's message
            }
        }
    }

    private void after(long millis, Runnable work) {
        try {
            Future<?> unused = timer.schedule(work, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException atEnd) {
            LOG.log(Level.DEBUG, "this client of Redis is closed", atEnd);
        }
    }

    /** A thread of its own, since the application may block those that all share; it ends when nothing is to come. */
    private static ScheduledExecutorService timer() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, work -> daemon("lock-redis-timer", work));
        timer.setKeepAliveTime(5, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
            notifyAll();
            timer.shutdownNow();
            if (connection != null) {
                try {
                    connection.disconnect();
                } catch (RuntimeException already) {
                    LOG.log(Level.DEBUG, "the connection was closed already", already);
                }
            }
        }
        if (running != null) {
            LockSupport.unpark(running);
        }
    }
}
