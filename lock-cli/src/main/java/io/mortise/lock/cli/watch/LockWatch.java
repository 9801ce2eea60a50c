// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.watch;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
import io.mortise.lock.LockHolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks at the locks of a store again and again, and at how often they change hands. Used by one thread at a time. */
final class LockWatch {
    /** More than these are not read: nobody looks at so many. */
    static final int MOST = 10_000;

    /** The weight of the last look in the rate of changes. */
    private static final double WEIGHT = 0.2;

    private final LockClient client;
    private final String prefix;
    private Map<String, Seen> before = Map.of();
    private long lookedAt;
    private Look last = new Look(List.of(), false, Duration.ZERO, Optional.empty());

    private record Seen(long token, String label, Duration heldFor, double rate) {
        boolean isOf(LockHolder holder) {
            return token == holder.fencingToken()
                    && label.equals(holder.label())
                    && (token != 0 || heldFor.compareTo(holder.heldFor()) <= 0);
        }
    }

    /**
     * A lock that is held.
     *
     * @param holder who holds it
     * @param changesPerSecond how often another hold was seen; a lock that changes hands more often than it is looked at does so more
     *     often than this
     */
    record Row(LockHolder holder, double changesPerSecond) {}

    /**
     * What the store told.
     *
     * @param rows the locks that are held, in the store's order of names
     * @param more whether there are more
     * @param took how long the store took
     * @param failure why these are the locks of an earlier moment, if the store has not answered since
     */
    record Look(List<Row> rows, boolean more, Duration took, Optional<String> failure) {
        int waiters() {
            return rows.stream()
                    .mapToInt(row -> row.holder().waiters().orElse(0))
                    .sum();
        }
    }

    /**
     * Watches the locks of a client.
     *
     * @param prefix what their names begin with
     */
    LockWatch(LockClient client, String prefix) {
        this.client = client;
        this.prefix = prefix;
    }

    /** Whose locks these are, without secrets. */
    String store() {
        return client.toString();
    }

    /** Asks the store. If it does not answer, what it told last is returned, with the reason. */
    Look look() {
        try {
            return firstLook();
        } catch (LockException unanswered) {
            last = new Look(
                    last.rows(), last.more(), last.took(), Optional.of(String.valueOf(unanswered.getMessage())));
            return last;
        }
    }

    /**
     * Asks the store.
     *
     * @throws LockException if it did not answer, or refuses
     * @throws UnsupportedOperationException if it cannot list its locks
     */
    Look firstLook() {
        long begin = System.nanoTime();
        double seconds = before.isEmpty() ? 0 : (begin - lookedAt) / 1e9;
        Map<String, Seen> seen = new HashMap<>();
        List<Row> rows = new ArrayList<>();
        boolean more = false;
        try (Stream<LockHolder> holders = client.holders(prefix)) {
            for (Iterator<LockHolder> each = holders.iterator(); each.hasNext() && !more; ) {
                LockHolder holder = each.next();
                more = rows.size() == MOST;
                if (!more) {
                    double rate = rate(holder, seconds);
                    seen.put(holder.lock(), new Seen(holder.fencingToken(), holder.label(), holder.heldFor(), rate));
                    rows.add(new Row(holder, rate));
                }
            }
        }
        before = seen;
        lookedAt = begin;
        last = new Look(rows, more, Duration.ofNanos(System.nanoTime() - begin), Optional.empty());
        return last;
    }

    private double rate(LockHolder holder, double seconds) {
        Seen earlier = before.get(holder.lock());
        if (earlier == null || seconds <= 0) {
            return 0;
        }
        double now = earlier.isOf(holder) ? 0 : 1 / seconds;
        return (1 - WEIGHT) * earlier.rate() + WEIGHT * now;
    }
}
