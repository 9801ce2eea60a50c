// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import io.mortise.lock.spi.support.CallDeadline;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One TCP connection on which a server has answered, with the time of its last answer and the server's clock. Thread-safe.
 *
 * <p>A server that was frozen and wakes up may execute commands before it looks at its clock: what they store is then old
 * already, and may expire at once. So nothing is stored unless the server has answered just before, and not while it may be
 * waking up.
 */
public final class LiveConnection {
    /** For how long an answer shows that the server is awake. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** An answer that took longer may come from a server that has just woken up. */
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** How long a server may need from its first answer until it looks at its clock; less than a millisecond was measured. */
    private static final long WAKING_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private final SocketChannel channel;
    private final long clockSeconds;
    private final long uptimeSeconds;
    private final long clockReadAt = System.nanoTime();
    private volatile long answeredAt;
    private volatile long wokeAt = clockReadAt - WAKING_NANOS;

    /** memcached begins to count its uptime with two. */
    private static final long FIRST_UPTIME = 2;

    /** Made when the server has told its time and its uptime, for which it was asked at {@code askedAt}. */
    LiveConnection(SocketChannel channel, long clockSeconds, long uptimeSeconds, long askedAt) {
        this.channel = channel;
        this.clockSeconds = clockSeconds;
        this.uptimeSeconds = uptimeSeconds;
        answered(askedAt);
    }

    boolean isReplacedBy(SocketChannel now) {
        return now != channel;
    }

    /** The server has answered what it was asked at that moment. */
    void answered(long askedAt) {
        long now = System.nanoTime();
        if (now - askedAt > SLOW_NANOS) {
            wokeAt = now;
        }
        answeredAt = now;
    }

    /** Whether the server was awake a moment ago. */
    public boolean isFresh() {
        return System.nanoTime() - answeredAt < FRESH_NANOS;
    }

    /** Waits while the server may be waking up, but no longer than the call lasts. */
    public void awaitAwake(CallDeadline deadline) throws InterruptedException {
        long waking = WAKING_NANOS - (System.nanoTime() - wokeAt);
        while (waking > 0 && !deadline.hasPassed()) {
            deadline.pause(waking);
            waking = WAKING_NANOS - (System.nanoTime() - wokeAt);
        }
    }

    /** For how long the server's process has certainly been running. A restart breaks the connection. */
    long ranForNanos() {
        long atFirst = TimeUnit.SECONDS.toNanos(Math.max(0, uptimeSeconds - FIRST_UPTIME));
        return atFirst + System.nanoTime() - clockReadAt;
    }

    /** Roughly what the server's clock shows now, in seconds since 1970. Only for people to read. */
    public long clock() {
        return clockSeconds + Duration.ofNanos(System.nanoTime() - clockReadAt).toSeconds();
    }
}
