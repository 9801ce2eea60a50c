// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.support.Moment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Computes until when a session is certainly alive. Time in which the host was suspended counts: the leader's clock went on.
 * Moments of answers are in this JVM's monotonic nanoseconds. Thread-safe.
 *
 * <p>The leader ends a session when it has not heard <em>of</em> it for the time-out. It hears of a client of another
 * server only when that server answers its next ping, half a tick later at most; so an answered request proves nothing by
 * itself: the server may have lost touch with the leader. Three requests prove it, each sent after the answer to the one
 * before:
 *
 * <ol>
 *   <li>any request: the client's server takes note of the client;
 *   <li>a request that passes through the leader, sent at least half a tick later: the leader's ping comes before the answer,
 *       and the server answers the ping before it passes on anything that the client sends next;
 *   <li>a request that a majority agrees on: the leader, which still led and had not ended the session, had heard of the
 *       first.
 * </ol>
 *
 * The session then lives for a time-out counted from before the first request was sent. With the first and the third alone, a
 * leader or a connection that was paused could agree to the third and end the session a moment later.
 */
public final class SessionClock {
    private static final long LONGEST_GAP = 3_000_000_000L;
    private static final int REMEMBERED = 16;

    /** One part in this many of a time-out is for clocks of different speeds between the base and the lease; the lease has its own allowance. */
    private static final int FOR_DRIFT = 50;

    /** A request, and when it was answered, or when it was known that the leader will hear of it. */
    private record Exchange(Moment sent, long known) {}

    /** Requests that the client's server has taken note of. */
    private final Deque<Exchange> noted = new ArrayDeque<>();

    /** Requests that the leader has heard of, if it was still there when the next request came. */
    private final Deque<Exchange> reported = new ArrayDeque<>();

    private @Nullable Moment base;
    private long timeout;

    /** A new session, with the time-out that was negotiated, in nanoseconds. */
    SessionClock(long timeout) {
        this.timeout = timeout;
    }

    /** The longest lease that a session carries: the last quarter of its time-out is for what the leader may not have heard of. */
    public static Duration longestLease(Duration timeout) {
        return timeout.dividedBy(4).multipliedBy(3);
    }

    /** Throws {@link LockConfigurationException} if the ensemble agreed to a session that is too short for a lease. */
    public void checkLease(Duration lease) {
        Duration agreed = Duration.ofNanos(timeout());
        if (lease.compareTo(longestLease(agreed)) > 0) {
            throw new LockConfigurationException("the ensemble allows this client sessions of " + agreed.toMillis()
                    + " ms, which allow leases of up to "
                    + longestLease(agreed).toMillis() + " ms, not of " + lease.toMillis()
                    + " ms; ask for shorter leases, or raise sessionTimeout here and maxSessionTimeout there");
        }
    }

    /** The time-out that was negotiated, in nanoseconds; the shortest, if there were several. */
    public synchronized long timeout() {
        return timeout;
    }

    /** A server may agree to less than the one before; what was promised before then counts as less, too. */
    synchronized void renegotiated(long now) {
        timeout = Math.min(timeout, now);
    }

    /** How long after an answered request one through the leader counts: half a tick for certain. */
    synchronized long gap() {
        return Math.min(LONGEST_GAP, timeout / 4);
    }

    /** A request was answered, by any server. */
    synchronized void heard(Moment sent, long answered) {
        Exchange last = noted.peekLast();
        // Those between give nothing that these and the next do not.
        if (last == null || sent.nanos() - last.sent.nanos() > gap() / 4) {
            add(noted, new Exchange(sent, answered));
        }
    }

    /** A request was answered through the leader. Only monotonic time makes a gap: a wall clock that was set makes none. */
    synchronized void reached(Moment sent, long answered) {
        Exchange newest = null;
        while (!noted.isEmpty() && sent.nanos() - noted.getFirst().known >= gap()) {
            newest = noted.removeFirst();
        }
        if (newest != null) {
            add(reported, new Exchange(newest.sent, answered));
        }
        heard(sent, answered);
    }

    /** A request that a majority had agreed on was answered. */
    synchronized void confirmed(Moment sent, long answered) {
        while (!reported.isEmpty() && sent.nanos() - reported.getFirst().known >= 0) {
            aliveAt(reported.removeFirst().sent);
        }
        reached(sent, answered);
    }

    /** Until when the session is alive for certain, relative to a moment; not positive if it may be over. */
    public synchronized long left(Moment moment) {
        return base == null ? 0 : timeout - timeout / FOR_DRIFT - moment.since(base);
    }

    /** How long until a request through the leader, and then one that is agreed on, make {@link #left} greater. */
    synchronized long untilConfirmable(long moment) {
        if (!reported.isEmpty()) {
            return 0;
        }
        Exchange first = noted.peekFirst();
        return first == null ? gap() : Math.max(0, first.known + gap() - moment);
    }

    private static void add(Deque<Exchange> exchanges, Exchange newest) {
        exchanges.addLast(newest);
        if (exchanges.size() > REMEMBERED) {
            exchanges.removeFirst();
        }
    }

    /**
     * The leader had not ended the session at that moment, or had not begun it yet: a majority has agreed on the session
     * since.
     */
    synchronized void aliveAt(Moment moment) {
        if (base == null || moment.nanos() - base.nanos() > 0) {
            base = moment;
        }
    }
}
