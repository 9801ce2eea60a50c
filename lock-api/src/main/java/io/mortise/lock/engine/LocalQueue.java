// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one client in front of the store: for each name one place inside, taken in the order of arrival, so that
 * one thread talks to the store about a lock and the others wait without I/O. Keeps nothing about names that nobody holds
 * or waits for. Thread-safe.
 */
final class LocalQueue {
    private final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();
    private final Ticker ticker;
    private volatile boolean closed;

    LocalQueue(Ticker ticker) {
        this.ticker = ticker;
    }

    /** A first-in-first-out line; its first place is inside. Guarded by the map's lock of its key. */
    private static final class Line {
        private @Nullable Place first;
        private @Nullable Place last;

        void append(Place place) {
            place.before = last;
            if (last == null) {
                first = place;
            } else {
                last.behind = place;
            }
            last = place;
        }

        void remove(Place place) {
            if (place.before == null) {
                first = place.behind;
            } else {
                place.before.behind = place.behind;
            }
            if (place.behind == null) {
                last = place.before;
            } else {
                place.behind.before = place.before;
            }
            place.before = null;
            place.behind = null;
        }
    }

    /** A place in the line of one name, of one thread at first and then of its lease. */
    final class Place {
        private final String name;
        private final LockOptions options;
        private final @Nullable Thread thread;
        private @Nullable Place before;
        private @Nullable Place behind;
        private boolean left;
        private volatile boolean inside;
        private volatile @Nullable Hold hold;

        private Place(String name, LockOptions options, @Nullable Thread thread) {
            this.name = name;
            this.options = options;
            this.thread = thread;
        }

        String name() {
            return name;
        }

        /** What its thread asked for. */
        LockOptions options() {
            return options;
        }

        boolean isInside() {
            return inside;
        }

        /** The lease that this place stands for, or that was handed over to it. */
        @Nullable
        Hold hold() {
            return hold;
        }

        void hold(Hold value) {
            hold = value;
        }

        /** Waits to be let in, until a moment has come, unless the queue closes or the thread is interrupted. */
        void await(long end) {
            while (!inside
                    && !closed
                    && end - ticker.nanos() > 0
                    && !Thread.currentThread().isInterrupted()) {
                ticker.parkUntil(this, end);
            }
        }

        /** Gives the place up; whoever is next gets in if this was inside. Idempotent. */
        void leave() {
            lines.computeIfPresent(name, (key, line) -> {
                if (!left) {
                    left = true;
                    line.remove(this);
                    admit(line.first, null);
                }
                return line.first == null ? null : line;
            });
        }

        /** Gives the place and the lease to the next in line, if there is one whom {@code successor} answers a lease for. */
        boolean handOver(Successor successor) {
            boolean[] done = {false};
            lines.computeIfPresent(name, (key, line) -> {
                Place next = behind;
                if (!left && next != null) {
                    Hold heir = successor.of(next);
                    if (heir != null) {
                        left = true;
                        line.remove(this);
                        admit(next, heir);
                        done[0] = true;
                    }
                }
                return line;
            });
            return done[0];
        }

        private void admit(@Nullable Place place, @Nullable Hold handedOver) {
            if (place != null && !place.inside) {
                place.hold = handedOver;
                place.inside = true;
                LockSupport.unpark(place.thread);
            }
        }
    }

    /** Makes the lease of a place that another one is handed over to. */
    interface Successor {
        @Nullable
        Hold of(Place next);
    }

    /** Takes a place at the end of a name's line; inside at once if nobody is there. */
    Place enter(String name, LockOptions options) {
        Place place = new Place(name, options, Thread.currentThread());
        lines.compute(name, (key, present) -> {
            Line line = present == null ? new Line() : present;
            line.append(place);
            place.inside = line.first == place;
            return line;
        });
        return place;
    }

    /** Takes a place if nobody is there. */
    @Nullable
    Place tryEnter(String name, LockOptions options) {
        Place place = new Place(name, options, null);
        Line line = new Line();
        line.append(place);
        place.inside = true;
        return lines.putIfAbsent(name, line) == null ? place : null;
    }

    /** Lets nobody wait any more. */
    void close() {
        closed = true;
        lines.forEach((name, unused) -> lines.computeIfPresent(name, (key, line) -> {
            for (Place place = line.first; place != null; place = place.behind) {
                LockSupport.unpark(place.thread);
            }
            return line;
        }));
    }

    /** The leases that are held now. */
    List<Hold> holds() {
        List<Hold> holds = new ArrayList<>();
        for (String name : lines.keySet()) {
            lines.computeIfPresent(name, (key, line) -> {
                if (line.first != null && line.first.hold != null) {
                    holds.add(line.first.hold);
                }
                return line;
            });
        }
        return holds;
    }
}
