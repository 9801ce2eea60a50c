// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import io.mortise.lock.LockOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Queues the calls of one client that want the same lock, first come first served for each name, so that one of them talks
 * to the store about a lock and the others wait without I/O. Those that wait know what the store answered to the one
 * that talks to it. Keeps nothing about names that nobody holds or waits for. Thread-safe.
 *
 * <p>Leaving allocates nothing: a call that ends because no memory is left still makes room for the next.
 *
 * @param <L> what the first of a line may hold: a lease
 */
public final class LocalQueue<L> {
    private final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();
    private final Predicate<L> counts;
    private volatile boolean closed;

    /**
     * Empty.
     *
     * @param counts whether a lease was not lost yet, as far as is known; quick, and takes no lock
     */
    public LocalQueue(Predicate<L> counts) {
        this.counts = counts;
    }

    /** The tickets of one name, linked, the first in line first. Guarded by its monitor. */
    private final class Line {
        private final String name;
        private @Nullable Ticket first;
        private @Nullable Ticket last;
        /** How many of them wait for the next answer to the first in line. */
        private int asking;
        /** Why the store gave the first in line no answer when it was asked last; null if it gave one. */
        private @Nullable Throwable silence;

        /** Whether it has answered before, and so is silent since then; else since it was asked first. */
        private boolean answeredBefore;

        private long silentSince;
        /** Whether it was empty and is no longer in the map. */
        private boolean gone;

        private Line(String name) {
            this.name = name;
        }

        /** A ticket at its end; null if the line is gone. */
        synchronized @Nullable Ticket append(LockOptions options, long now, Runnable wake) {
            if (gone) {
                return null;
            }
            try {
                Ticket ticket = new Ticket(this, options, now, wake);
                ticket.previous = last;
                if (last == null) {
                    first = ticket;
                    ticket.isFirst = true;
                } else {
                    last.next = ticket;
                }
                last = ticket;
                return ticket;
            } finally {
                endIfEmpty();
            }
        }

        private void endIfEmpty() {
            if (first == null) {
                gone = true;
                lines.remove(name, this);
            }
        }

        /** Takes a ticket out, if it is not gone yet. Answers the first in line if it is still to be woken. */
        private synchronized @Nullable Ticket remove(Ticket ticket, @Nullable L handedOver) {
            if (!ticket.gone) {
                // Nothing is called before the next is known: no error can cut it off half done.
                ticket.gone = true;
                asking -= ticket.asks ? 1 : 0;
                ticket.asks = false;
                Ticket before = ticket.previous;
                Ticket after = ticket.next;
                if (before == null) {
                    first = after;
                } else {
                    before.next = after;
                }
                if (after == null) {
                    last = before;
                } else {
                    after.previous = before;
                }
                // An ended lease that somebody keeps must not keep all that came after it.
                ticket.previous = null;
                ticket.next = null;
                if (first != null && before == null) {
                    asking -= first.asks ? 1 : 0;
                    first.asks = false;
                    first.toBeWoken = true;
                    first.lease = handedOver;
                    first.isFirst = true;
                }
            }
            if (first == null) {
                endIfEmpty();
                return null;
            }
            return first.toBeWoken ? first : null;
        }

        /** Whether the first has the lock. A lease that was lost on the way to it tells nothing of the lock. */
        private boolean isHeld() {
            L lease = first == null ? null : first.lease;
            return lease != null && counts.test(lease);
        }

        /** Wakes those that wait for the answer that the first in line has now. */
        private void answered() {
            Ticket ticket;
            synchronized (this) {
                ticket = asking == 0 ? null : first;
            }
            while (ticket != null) {
                boolean wakes;
                Ticket after;
                synchronized (this) {
                    wakes = ticket.asks;
                    after = ticket.gone && asking > 0 ? first : ticket.next;
                }
                if (wakes) {
                    ticket.wake.run();
                }
                ticket = after;
            }
        }
    }

    /** A ticket in the line of one name: of one waiting call at first, and then of its lease. */
    public final class Ticket {
        private final Line line;
        private final LockOptions options;
        private final long enteredAt;
        private final Runnable wake;
        private @Nullable Ticket previous;
        private @Nullable Ticket next;
        private boolean asks;
        private boolean gone;
        private volatile boolean isFirst;
        /** Whether its turn has come, and it does not know yet. */
        private volatile boolean toBeWoken;

        private volatile @Nullable L lease;
        /** What the store has said when it was asked last: that others hold the lock, nothing at all, or neither yet. */
        private boolean refused;

        private @Nullable Throwable noAnswer;
        private long saidTo;

        private Ticket(Line line, LockOptions options, long enteredAt, Runnable wake) {
            this.line = line;
            this.options = options;
            this.enteredAt = enteredAt;
            this.wake = wake;
        }

        public String name() {
            return line.name;
        }

        public LockOptions options() {
            return options;
        }

        /** Whether it is this ticket's turn. Once true, true until it leaves. */
        public boolean isFirst() {
            return isFirst;
        }

        /** The lease that this ticket stands for, or that was handed over to it. */
        public @Nullable L lease() {
            return lease;
        }

        /** From now on the ticket stands for a lease, or, with null, for a waiting call again. */
        public void standFor(@Nullable L value) {
            lease = value;
            if (value != null) {
                synchronized (line) {
                    line.silence = null;
                    line.answeredBefore = false;
                }
            }
            line.answered();
        }

        /**
         * The store has answered that others hold the lock, or has not answered. For the first in line.
         *
         * @param askedAt when it was asked
         * @param now when it has answered, or was given up
         * @param failure null if it has answered
         */
        public void answered(long askedAt, long now, @Nullable Throwable failure) {
            synchronized (line) {
                noAnswer = failure;
                refused = failure == null;
                saidTo = askedAt;
                if (failure == null) {
                    line.silentSince = now;
                } else if (line.silence == null && !line.answeredBefore) {
                    line.silentSince = askedAt;
                }
                line.answeredBefore |= failure == null;
                line.silence = failure;
            }
            line.answered();
        }

        /** Since when the store has given this call and those before it no answer; {@code now} if it has answered last. */
        public long unansweredSince(long now) {
            synchronized (line) {
                if (line.silence == null) {
                    return now;
                }
                return line.silentSince - enteredAt > 0 ? line.silentSince : enteredAt;
            }
        }

        /** Why the store has given the last of those before this one no answer; null if it has. */
        public @Nullable Throwable silence() {
            synchronized (line) {
                return line.silence;
            }
        }

        /**
         * Wakes this one when there is an answer to the first in line.
         *
         * @param now whether the first is to ask the store now, and not when it would anyway
         */
        public void awaitAnswer(boolean now) {
            Ticket woken;
            synchronized (line) {
                if (gone || asks) {
                    return;
                }
                Ticket first = line.first;
                // If it is the first by now it asks itself; a first that has the lock asks no more.
                boolean isAnswered = first == this || line.isHeld();
                if (first != this) {
                    asks = true;
                    line.asking++;
                }
                woken = isAnswered ? this : now ? first : null;
            }
            if (woken != null) {
                woken.wake.run();
            }
        }

        /**
         * Whether somebody is known to hold the lock, or to have held it when the store was asked after a moment: the first in
         * line, or whoever the store told it of.
         */
        public boolean isKnownHeld(long moment) {
            synchronized (line) {
                Ticket first = line.first;
                return first != null
                        && first != this
                        && (line.isHeld() || (first.refused && first.isAnsweredSince(moment)));
            }
        }

        /** Why the store gave the first in line no answer when it was asked after a moment; null if it did, or was not asked. */
        public @Nullable Throwable noAnswer(long moment) {
            synchronized (line) {
                Ticket first = line.first;
                return first == null || !first.isAnsweredSince(moment) ? null : first.noAnswer;
            }
        }

        /** The lease of the first in line. */
        public @Nullable L firstLease() {
            synchronized (line) {
                return line.first == null ? null : line.first.lease;
            }
        }

        private boolean isAnsweredSince(long moment) {
            return saidTo - moment >= 0;
        }

        /**
         * Leaves the line; if this was the first, the next is, and is woken. Idempotent; once more, it wakes a first that an error
         * has kept from being woken.
         */
        public void leave() {
            wake(line.remove(this, null));
        }

        /**
         * Leaves the line and gives the next in line a lease, if there is a next and {@code successor} makes a lease for it.
         * Returns whether it did. If it did it throws nothing: a next that could not be woken is woken by {@link #leave}.
         */
        @SuppressWarnings("CatchingUnchecked")
        public boolean handOver(Successor<L> successor) {
            Ticket admitted = null;
            synchronized (line) {
                L heir = gone || next == null ? null : successor.of(next);
                if (heir != null) {
                    admitted = line.remove(this, heir);
                }
            }
            if (admitted == null) {
                return false;
            }
            try {
                wake(admitted);
                line.answered();
            } catch (Throwable cutOff) {
                // The lock is the heir's by now, and whoever hands it over must not release it.
            }
            return true;
        }

        private void wake(@Nullable Ticket admitted) {
            if (admitted != null) {
                admitted.wake.run();
                admitted.toBeWoken = false;
            }
        }
    }

    /**
     * Makes the lease that a ticket is handed.
     *
     * @param <L> the lease
     */
    @FunctionalInterface
    public interface Successor<L> {
        /** The lease for the next in line; null if it must ask the store itself. */
        @Nullable
        L of(LocalQueue<L>.Ticket next);
    }

    /**
     * Takes a ticket at the end of a name's line; it is the first at once if nobody is there.
     *
     * @param now the moment, for telling older answers of the store from newer ones
     * @param wake called when it is the ticket's turn, and when there is an answer that it asked for; quick, never throws
     */
    public Ticket enter(String name, LockOptions options, long now, Runnable wake) {
        while (true) {
            Line line = lines.computeIfAbsent(name, Line::new);
            Ticket ticket = line.append(options, now, wake);
            if (ticket != null) {
                return ticket;
            }
            // Whoever emptied it does so, too, unless an error has cut it off.
            lines.remove(name, line);
        }
    }

    /** Nobody waits any more. Wakes nobody. */
    public void close() {
        closed = true;
    }

    /** Whether the queue, and with it the client, was closed. */
    public boolean isClosed() {
        return closed;
    }

    /** The leases that are held now. */
    public List<L> leases() {
        List<L> leases = new ArrayList<>();
        for (Line line : lines.values()) {
            synchronized (line) {
                L lease = line.first == null ? null : line.first.lease;
                if (lease != null) {
                    leases.add(lease);
                }
            }
        }
        return leases;
    }

    /** The lease that is held of a name. */
    public @Nullable L lease(String name) {
        Line line = lines.get(name);
        if (line == null) {
            return null;
        }
        synchronized (line) {
            return line.first == null ? null : line.first.lease;
        }
    }

    /** Whether nobody holds or waits for anything. */
    public boolean isEmpty() {
        return lines.isEmpty();
    }
}
