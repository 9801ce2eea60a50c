// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.Ticker;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.Moment;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.util.Pool;

/**
 * The place of one claim in the queue of a lock: its entry, what it was told there, and how closely it has to look. Each look costs the
 * server commands, so that a claim asks only for what it needs. Messages come from the listener's thread; all else is for the thread
 * that tries.
 */
final class QueuePlace {
    /** What stands for the entry of a claim that is not in the queue. */
    static final String NONE = "";

    private static final String GRANTED = "granted ";
    private static final String WATCH = "watch";

    /** When the lease of the holder ends later than that, the first in the queue need not ask again when. */
    private static final long SOON_NANOS = Duration.ofSeconds(10).toNanos();

    /** One of so many looks is whether the last grant was confirmed. */
    private static final int CHECKED_LOOKS = 3;

    /** One of so many looks lets the queue live on. */
    private static final int KEEPING_LOOKS = 30;

    /** How much of a lease may be spent when a grant is confirmed that does not begin it anew: a sixth. */
    private static final int SPENT_PART = 6;

    /** A release keeps the lock at least so long for a claim, as SHORTEST of common.lua says; a shorter lease is set by the script. */
    private static final Duration SHORTEST = Duration.ofSeconds(2);

    private final ClaimRequest request;
    private final Runnable nudge;

    private String entry = NONE;
    private long listenerId;
    private long count;
    private boolean isEntered;
    /** Whether the entry has been added once at most, so that it means one place in the queue. */
    private boolean isOnePlace = true;

    private boolean isFirst;
    private boolean isWatching;
    private boolean hasWatched;
    private long knownEnd;
    private @Nullable Moment refusedAfter;
    private @Nullable Pool<Connection> refusedBy;

    private volatile boolean told;
    private volatile boolean toldToWatch;
    /** The token of a grant; 0 if the claim was not told of one. */
    private volatile long granted;

    QueuePlace(ClaimRequest request, Runnable nudge) {
        this.request = request;
        this.nudge = nudge;
    }

    /** From now on, tries enter the queue, and messages are heard. {@code leaseMillis}: as the server takes it. */
    void enter(ReleaseListener listener, long leaseMillis, String label) {
        if (listenerId == 0) {
            listenerId = listener.register(this::hear);
            entry = String.join(
                    " ",
                    request.owner(),
                    listener.channel(),
                    String.valueOf(listenerId),
                    String.valueOf(leaseMillis),
                    String.valueOf(request.tokenCount()),
                    String.valueOf(request.tokenFloor()),
                    label);
        }
    }

    void hearNoMore(@Nullable ReleaseListener listener) {
        if (listenerId != 0 && listener != null) {
            listener.unregister(listenerId);
        }
    }

    private void hear(String message) {
        if (message.startsWith(GRANTED)) {
            String[] ownerAndToken = message.substring(GRANTED.length()).split(" ", 2);
            // Anybody may publish anything; nobody else knows the owner.
            if (ownerAndToken.length == 2 && ownerAndToken[0].equals(request.owner())) {
                granted = Long.parseLong(ownerAndToken[1]);
            }
        } else if (message.equals(WATCH)) {
            toldToWatch = true;
        } else {
            told = true;
        }
        nudge.run();
    }

    String entry() {
        return entry;
    }

    /** How closely the next try looks, as the script takes it. */
    String nextLook() {
        if (toldToWatch) {
            toldToWatch = false;
            isWatching = true;
            hasWatched = true;
        }
        if (!isEntered) {
            return "new";
        }
        if (told) {
            told = false;
            return "told";
        }
        if (isWatching) {
            return WATCH;
        }
        count++;
        if (count % KEEPING_LOOKS == 0) {
            return "keep";
        }
        if (isFirst) {
            return knownEnd - System.nanoTime() > SOON_NANOS ? "known" : "";
        }
        return count % CHECKED_LOOKS == 0 ? "check" : "";
    }

    /** A try was refused. */
    void refused(String look, List<?> answer, Moment sent, Pool<Connection> server) {
        long left = (Long) answer.get(1);
        String note = RedisReply.text(answer.get(2));
        refusedAfter = sent;
        refusedBy = server;
        isWatching = note.equals(WATCH);
        hasWatched |= isWatching;
        if (note.equals("entered")) {
            isOnePlace &= !isEntered;
            isEntered = true;
            isFirst = false;
        } else if (!look.equals("known")) {
            isFirst = left >= 0 && note.isEmpty();
            knownEnd = sent.nanos() + Duration.ofMillis(left).toNanos();
        }
    }

    /** A try was not answered, and may still be carried out. */
    void unanswered() {
        isOnePlace = false;
    }

    /**
     * The token of a grant that can be confirmed by leaving the queue, or 0. If the claim then leaves a place that it has had once, after
     * it was told of its grant, nobody has removed it, so nobody else was granted the lock. Each message is used once.
     */
    long takeGrant() {
        long token = granted;
        granted = 0;
        return isOnePlace && isEntered && !entry.equals(NONE) ? token : 0;
    }

    /**
     * How much of the lease of a grant may be spent by now: it was made after the last try that was refused had been sent. Null if that is
     * too much, or if another server was asked.
     */
    @Nullable
    Duration spent(Moment now, Pool<Connection> server) {
        if (refusedAfter == null || !server.equals(refusedBy) || request.lease().compareTo(SHORTEST) < 0) {
            return null;
        }
        Duration spent = Duration.ofNanos(now.since(refusedAfter));
        return spent.multipliedBy(SPENT_PART).compareTo(request.lease()) <= 0 ? spent : null;
    }

    static Moment now() {
        return Moment.now(Ticker.system());
    }

    /** The claim has left the queue. Answers whether it was to watch over the grants to others. */
    boolean left() {
        entry = NONE;
        return hasWatched;
    }
}
