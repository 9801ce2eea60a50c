// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.notification.Grant;
import io.mortise.lock.jdbc.notification.Waiter;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.table.WaiterQueue.Released;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of one claim in the queue of its lock, and what it has to do about those before and after it. Used by one thread at a
 * time, as its claim is.
 */
final class QueuePlace {
    /** How much of a lease may be spent when a grant is taken that does not begin it anew: a sixth. */
    private static final int SPENT_PART = 6;

    private final WaiterQueue queue;
    private final GrantWatch watch;
    private final ClaimStatements statements;
    private final Waiter waiter;

    /** Whether the queue may have an entry of this claim. Written by call threads. */
    private volatile boolean isEntered;

    private long place;
    private long checkedVersion = -1;
    private @Nullable String markAtRelease;

    QueuePlace(WaiterQueue queue, GrantWatch watch, ClaimStatements statements, Waiter waiter) {
        this.queue = queue;
        this.watch = watch;
        this.statements = statements;
        this.waiter = waiter;
    }

    /** Whether the lock is hardly free, so that looking at it comes before trying to take it. */
    boolean looksFirst() {
        return watch.hasJustGranted(statements.key());
    }

    /** Looks at the lock, and waits for it in the queue if another holds it. */
    Optional<LockRow> enter(Session session) {
        isEntered = true;
        Optional<LockRow> row = queue.enter(session, statements.request(), statements.key(), leaseMicros(), waiter);
        row.filter(this::mayBeUnconfirmed).ifPresent(held -> {
            checkedVersion = held.version();
            queue.evict(session, statements.key());
        });
        return row;
    }

    /** Whether another client was granted it a while ago, and nobody has looked since whether it has confirmed that. */
    private boolean mayBeUnconfirmed(LockRow row) {
        return row.version() != checkedVersion
                && !statements.request().owner().equals(row.owner())
                && row.nowMicros() - row.acquiredMicros() > WaiterQueue.CONFIRMATION_MICROS;
    }

    /** A grant of which the listener was told, if enough of the lease is left; for another the claim asks, and begins it anew. */
    Optional<Grant> takeGrant() {
        Optional<Grant> grant = waiter.takeGrant();
        grant.ifPresent(confirmed -> {
            place = confirmed.place();
            isEntered = false;
        });
        Duration lease = statements.request().lease();
        return grant.filter(
                confirmed -> confirmed.spent(lease).multipliedBy(SPENT_PART).compareTo(lease) <= 0);
    }

    /** After this, no release grants the lock to the claim. */
    void leave(Session session) {
        if (isEntered) {
            queue.leave(session, statements.request().owner(), statements.key());
            isEntered = false;
        }
    }

    /** Before a release is sent. */
    void releasing() {
        if (markAtRelease == null) {
            markAtRelease = queue.mark();
        }
    }

    /**
     * Releases the lock, if this claim holds it, and grants it to the next.
     *
     * @param unanswered whether an earlier release was sent, and not answered. Then it may have granted the lock to another client;
     *     if the database has crashed since, it does not know that any more, but nobody else may be granted the lock before the lease
     *     has ended
     * @param unwanted whether most likely nobody waits. Where somebody does, it takes one statement more, and one that a
     *     broken connection may keep from being sent
     */
    boolean release(Session session, boolean unanswered, boolean unwanted) {
        if (unwanted
                && !unanswered
                && queue.releaseUnwanted(session, statements.request().owner(), statements.key())) {
            return true;
        }
        Released released = queue.release(
                session,
                statements.request().owner(),
                statements.key(),
                place,
                unanswered ? Optional.ofNullable(markAtRelease) : Optional.empty());
        if (released == Released.GRANTED) {
            watch.granted(statements.key());
        }
        if (released == Released.NOT_HELD && unanswered && isHeld(session)) {
            queue.renewMark(session);
            return true;
        }
        return released != Released.NOT_HELD;
    }

    private boolean isHeld(Session session) {
        return statements
                .look(session)
                .filter(row -> row.isHeldBy(statements.request().owner(), statements.sql().expiry))
                .isPresent();
    }

    private long leaseMicros() {
        return statements.micros(statements.request().lease());
    }
}
