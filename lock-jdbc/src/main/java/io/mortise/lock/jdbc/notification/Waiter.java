// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.notification;

import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.spi.support.PollDelay;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides how one claim waits: for a notification, or by polling with growing pauses while no notifications arrive.
 * Used by one thread at a time, as its claim is; only grants come from the listener's thread.
 */
public final class Waiter {
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final Duration FIRST_POLL = Duration.ofMillis(2);
    private static final Duration LONGEST_POLL = Duration.ofMillis(50);

    private final @Nullable PostgresListener listener;
    private final LockKey key;
    private final String owner;
    private final Runnable nudge;
    private final PollDelay poll = new PollDelay(FIRST_POLL, LONGEST_POLL);
    private final AtomicReference<@Nullable Grant> grant = new AtomicReference<>();
    private final long number = NUMBERS.incrementAndGet();
    private volatile boolean subscribed;

    /** A waiter that polls where there is no listener. */
    public Waiter(@Nullable PostgresListener listener, LockKey key, String owner, Runnable nudge) {
        this.listener = listener;
        this.key = key;
        this.owner = owner;
        this.nudge = nudge;
    }

    /** The key of the lock that it waits for. */
    String key() {
        return key.key();
    }

    /** The claim that waits. */
    String owner() {
        return owner;
    }

    /** By which the database names it to the listener. */
    public long number() {
        return number;
    }

    void nudge() {
        nudge.run();
    }

    void granted(Grant confirmed) {
        grant.set(confirmed);
        nudge.run();
    }

    /** A grant that was confirmed and not taken yet. */
    public Optional<Grant> takeGrant() {
        return Optional.ofNullable(grant.get() == null ? null : grant.getAndSet(null));
    }

    /** After a refusal: asks to be told; true if a release may have been missed, so that it must look again. */
    public boolean begin() {
        if (subscribed || listener == null) {
            return false;
        }
        subscribed = true;
        return listener.subscribe(this);
    }

    public void end() {
        if (subscribed && listener != null) {
            listener.unsubscribe(this);
            subscribed = false;
        }
    }

    /** When to look again at the latest; the engine polls by itself where there are no notifications. */
    public Optional<Duration> retryAfter(Optional<Duration> holderRemaining) {
        if (!subscribed || listener == null) {
            return holderRemaining;
        }
        Duration longest = listener.areOn() ? listener.safetyPoll() : Duration.ofNanos(poll.nextNanos());
        return Optional.of(
                holderRemaining.filter(left -> left.compareTo(longest) < 0).orElse(longest));
    }
}
