// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memory;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock in a {@link MemoryStore}: its holder, its queue, its token counter. Guarded by the store's
 * monitor.
 *
 * <p>A free lock belongs to the head of the queue for {@link #GRACE_NANOS}; a head that does not try in that time is
 * dead, and the next claim that tries gets the lock.
 */
final class MemoryLock {
    static final long GRACE_NANOS = 1_000_000_000L;

    final String name;
    private final List<Runnable> nudges;
    private final Map<MemoryClaim, Long> lastSeenInQueue = new LinkedHashMap<>(2);
    private @Nullable MemoryClaim holder;
    private long since;
    /** When the lease ends, or when the lock became free. */
    private long until;

    private long counter;
    private @Nullable String revoked;

    /** A lock that nobody holds. It adds to {@code nudges} whom to nudge once the store's monitor is free. */
    MemoryLock(String name, long now, List<Runnable> nudges) {
        this.name = name;
        this.nudges = nudges;
        this.until = now - GRACE_NANOS;
    }

    boolean tryAcquire(MemoryClaim claim, long now, long micros) {
        boolean held = isHeld(now);
        if (held && holder == claim && revoked == null) {
            extend(claim, claim.request.lease(), now);
            return true;
        }
        long ownGraceEnds = until + GRACE_NANOS;
        boolean mayTake = !held && (lastSeenInQueue.isEmpty() || head() == claim || ownGraceEnds - now <= 0);
        if (!mayTake) {
            if (claim.request.waits()) {
                lastSeenInQueue.put(claim, now);
            }
            claim.refused((held ? until : ownGraceEnds) - now);
            return false;
        }
        dropAbsentBefore(claim);
        counter = Math.max(Math.max(counter, claim.request.tokenFloor()) + 1, micros);
        claim.fencingToken = counter;
        counter += claim.request.tokenCount() - 1;
        holder = claim;
        since = now;
        revoked = null;
        extend(claim, claim.request.lease(), now);
        return true;
    }

    boolean renew(MemoryClaim claim, Duration lease, long now) {
        if (!heldBy(claim, now) || revoked != null) {
            return false;
        }
        long before = until;
        extend(claim, lease, now);
        if (until - before < 0) {
            nudgeNext(); // they know when the lease would have ended
        }
        return true;
    }

    boolean release(MemoryClaim claim, long now) {
        boolean wasHead = head() == claim;
        lastSeenInQueue.remove(claim);
        boolean held = holder == claim && isHeld(now);
        if (held) {
            free(now);
        }
        if (held || (wasHead && !isHeld(now))) {
            nudgeNext();
        }
        return held;
    }

    boolean raiseToken(MemoryClaim claim, long token, long now) {
        if (holder != claim || !isHeld(now)) {
            return false;
        }
        counter = Math.max(counter, token);
        return true;
    }

    boolean revoke(String reason, boolean immediately, long now) {
        if (holder == null || !isHeld(now)) {
            return false;
        }
        revoked = reason;
        holder.loss = new Loss(LossCause.REVOKED, reason);
        if (immediately) {
            free(now);
            nudgeNext();
        }
        return true;
    }

    void expire(long now) {
        if (holder != null && isHeld(now)) {
            holder.until = now;
            until = now;
            nudgeNext();
        }
    }

    boolean heldBy(MemoryClaim claim, long now) {
        return holder == claim && isHeld(now);
    }

    boolean heldByAnother(MemoryClaim claim, long now) {
        return holder != claim && isHeld(now);
    }

    Optional<LockHolder> inspect(long now) {
        MemoryClaim claim = holder;
        if (claim == null || !isHeld(now)) {
            return Optional.empty();
        }
        return Optional.of(new LockHolder(
                name,
                claim.request.label(),
                claim.fencingToken,
                Duration.ofNanos(now - since),
                Optional.of(Duration.ofNanos(until - now)),
                OptionalInt.of(lastSeenInQueue.size()),
                Optional.ofNullable(revoked)));
    }

    /** The last token that was given, or to which the counter was raised. */
    long counter() {
        return counter;
    }

    /** Whether forgetting this lock loses nothing: the next token is greater by the clock alone. */
    boolean isIdle(long now, long micros) {
        return !isHeld(now) && lastSeenInQueue.isEmpty() && counter < micros;
    }

    private boolean isHeld(long now) {
        return holder != null && until - now > 0;
    }

    private void extend(MemoryClaim claim, Duration lease, long now) {
        until = now + lease.toNanos();
        claim.until = until;
    }

    private void free(long now) {
        holder = null;
        until = now;
    }

    private @Nullable MemoryClaim head() {
        Iterator<MemoryClaim> queue = lastSeenInQueue.keySet().iterator();
        return queue.hasNext() ? queue.next() : null;
    }

    /** Those before the new holder that have not shown up since the lock became free are dead, or come back to the end. */
    private void dropAbsentBefore(MemoryClaim claim) {
        Iterator<Map.Entry<MemoryClaim, Long>> queue =
                lastSeenInQueue.entrySet().iterator();
        boolean before = true;
        while (before && queue.hasNext()) {
            Map.Entry<MemoryClaim, Long> entry = queue.next();
            before = entry.getKey() != claim;
            if (!before || entry.getValue() - until <= 0) {
                queue.remove();
            }
        }
    }

    /** The second is told too, so that a dead head costs one grace and not a lease. */
    private void nudgeNext() {
        Iterator<MemoryClaim> queue = lastSeenInQueue.keySet().iterator();
        for (int i = 0; i < 2 && queue.hasNext(); i++) {
            nudges.add(queue.next().nudge);
        }
    }
}
