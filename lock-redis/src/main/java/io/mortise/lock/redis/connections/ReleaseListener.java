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

    /** How long a lock is kept for the first in the queue, as CONFIRM of common.lua says. */
    private static final long NEXT_MILLIS = 600;

    /** The newest in the queue looks a little after the second. */
    private static final long LAST_MILLIS = 700;

    private static final Logger LOG = System.getLogger(ReleaseListener.class.getName());

    private final Supplier<Connection> connecting;
    private final String channel;
    private final Map<Long, Runnable> nudges = new ConcurrentHashMap<>();
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

    /** Registers what nudges a claim when a message is for it. Answers the claim's number on the channel. */
    public long register(Runnable nudge) {
        long id = lastId.incrementAndGet();
        nudges.put(id, nudge);
        return id;
    }

    public void unregister(long id) {
        nudges.remove(id);
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
            LOG.log(level, "released locks cannot be heard of, and so waiting claims ask again and again", failure);
        } catch (Throwable outOfMemory) {
            // It goes on all the same.
        }
    }

    private synchronized boolean goesOn() {
        if (closed || (nudges.isEmpty() && connection != null)) {
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
        nudges.values().forEach(Runnable::run);
    }

    private void nudge(long id) {
        Runnable nudge = nudges.get(id);
        if (nudge != null) {
            nudge.run();
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

        /** {@code call N}: a free lock is kept for claim N. {@code next N}, {@code last N}: claim N looks if another does not come. */
        @Override
        public void onMessage(String from, String message) {
            int blank = message.indexOf(' ');
            if (blank < 0) {
                return;
            }
            try {
                long id = Long.parseLong(message.substring(blank + 1));
                switch (message.substring(0, blank)) {
                    case "call" -> nudge(id);
                    case "next" -> after(NEXT_MILLIS, () -> nudge(id));
                    case "last" -> after(LAST_MILLIS, () -> nudge(id));
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
