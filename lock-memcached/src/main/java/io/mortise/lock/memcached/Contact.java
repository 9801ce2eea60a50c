// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One connection to a server that has answered on it: what is known of it, and when it was last heard. Thread-safe.
 *
 * <p>A server that stands still and wakes up again may obey commands before it looks at its clock: what they store is then old
 * already, and may end at once. So nothing is stored unless the server was heard just before, and not while it is waking up.
 */
final class Contact {
    /** For how long an answer shows that the server is awake. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** An answer that took longer may come from a server that has just woken up. */
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** How long a server may need from its first answer to its clock; a fraction of a millisecond was measured. */
    private static final long WAKING_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private final String server;
    private final SocketChannel channel;
    private final long clockSeconds;
    private final long clockReadAt = System.nanoTime();
    private volatile long heardAt;
    private volatile long wokeAt = clockReadAt - WAKING_NANOS;

    /** Made when the server has told its time, for which it was asked at that moment. */
    Contact(String server, SocketChannel channel, long clockSeconds, long askedAt) {
        this.server = server;
        this.channel = channel;
        this.clockSeconds = clockSeconds;
        heard(askedAt);
    }

    String server() {
        return server;
    }

    boolean isOver(SocketChannel now) {
        return now != channel;
    }

    /** An answer has arrived to what was asked at that moment. */
    void heard(long askedAt) {
        long now = System.nanoTime();
        if (now - askedAt > SLOW_NANOS) {
            wokeAt = now;
        }
        heardAt = now;
    }

    /** Whether the server was awake a moment ago. */
    boolean isFresh() {
        return System.nanoTime() - heardAt < FRESH_NANOS;
    }

    /** Waits while the server may be waking up. */
    void awaitAwake(Call call) {
        long waking = WAKING_NANOS - (System.nanoTime() - wokeAt);
        while (waking > 0 && call.leftNanos() > 0) {
            call.pause(waking);
            waking = WAKING_NANOS - (System.nanoTime() - wokeAt);
        }
    }

    /** About what the server's clock shows now, in seconds; for people to read. */
    long clock() {
        return clockSeconds + Duration.ofNanos(System.nanoTime() - clockReadAt).toSeconds();
    }
}
