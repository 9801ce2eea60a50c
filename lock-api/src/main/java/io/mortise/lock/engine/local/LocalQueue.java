// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Queues the threads of one client that want the same lock, first come first served for each name, so that one thread
 * talks to the store about a lock and the others wait without I/O. Keeps nothing about names that nobody holds or
 * waits for. Thread-safe.
 *
 * @param <L> what the first of a line may hold: a lease
 */
public final class LocalQueue<L> {
    /** The tickets of each name, the first in line first. Each line is guarded by the map's lock of its name. */
    private final ConcurrentHashMap<String, LinkedHashSet<Ticket>> lines = new ConcurrentHashMap<>();

    private final Ticker ticker;
    private volatile boolean closed;

    public LocalQueue(Ticker ticker) {
        this.ticker = ticker;
    }

    /** A ticket in the line of one name: of one waiting thread at first, and then of its lease. */
    public final class Ticket {
        private final String name;
        private final LockOptions options;
        private final @Nullable Thread thread;
        private volatile boolean isFirst;
        private volatile @Nullable L lease;

        private Ticket(String name, LockOptions options, @Nullable Thread thread) {
            this.name = name;
            this.options = options;
            this.thread = thread;
        }

        public String name() {
            return name;
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

        /** From now on the ticket stands for a lease. */
        public void standFor(L value) {
            lease = value;
        }

        /** Waits to be the first, until {@code end}, unless the queue closes or the thread is interrupted. */
        public void await(long end) {
            while (!isFirst
                    && !closed
                    && end - ticker.nanos() > 0
                    && !Thread.currentThread().isInterrupted()) {
                ticker.parkUntil(this, end);
            }
        }

        /** Leaves the line; if this was the first, the next is. Idempotent. */
        public void leave() {
            lines.computeIfPresent(name, (key, line) -> {
                if (line.remove(this) && !line.isEmpty()) {
                    admit(line.iterator().next(), null);
                }
                return line.isEmpty() ? null : line;
            });
        }

        /**
         * Leaves the line and gives the next in line a lease, if there is a next and {@code successor} makes a lease for it.
         * Returns whether it did.
         */
        public boolean handOver(Successor<L> successor) {
            boolean[] done = {false};
            lines.computeIfPresent(name, (key, line) -> {
                Iterator<Ticket> inOrder = line.iterator();
                if (inOrder.next() == this && inOrder.hasNext()) {
                    Ticket next = inOrder.next();
                    L heir = successor.of(next);
                    if (heir != null) {
                        line.remove(this);
                        admit(next, heir);
                        done[0] = true;
                    }
                }
                return line;
            });
            return done[0];
        }

        private void admit(Ticket ticket, @Nullable L handedOver) {
            if (!ticket.isFirst) {
                ticket.lease = handedOver;
                ticket.isFirst = true;
                LockSupport.unpark(ticket.thread);
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

    /** Takes a ticket at the end of a name's line; it is the first at once if nobody is there. */
    public Ticket enter(String name, LockOptions options) {
        Ticket ticket = new Ticket(name, options, Thread.currentThread());
        lines.compute(name, (key, present) -> {
            LinkedHashSet<Ticket> line = present == null ? new LinkedHashSet<>(2) : present;
            line.add(ticket);
            ticket.isFirst = line.size() == 1;
            return line;
        });
        return ticket;
    }

    /** Takes a ticket if nobody is there, else null. */
    public @Nullable Ticket tryEnter(String name, LockOptions options) {
        Ticket ticket = new Ticket(name, options, null);
        LinkedHashSet<Ticket> line = new LinkedHashSet<>(2);
        line.add(ticket);
        ticket.isFirst = true;
        return lines.putIfAbsent(name, line) == null ? ticket : null;
    }

    /** Wakes all who wait; nobody waits any more. */
    public void close() {
        closed = true;
        lines.forEach((name, unused) -> lines.computeIfPresent(name, (key, line) -> {
            line.forEach(ticket -> LockSupport.unpark(ticket.thread));
            return line;
        }));
    }

    /** Whether the queue, and with it the client, was closed. */
    public boolean isClosed() {
        return closed;
    }

    public List<L> leases() {
        List<L> leases = new ArrayList<>();
        for (String name : lines.keySet()) {
            lines.computeIfPresent(name, (key, line) -> {
                L lease = line.iterator().next().lease;
                if (lease != null) {
                    leases.add(lease);
                }
                return line;
            });
        }
        return leases;
    }
}
