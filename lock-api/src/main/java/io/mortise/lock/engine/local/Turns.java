// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lets clients that poll have their turn: a client that releases a lock which others want, too, does not ask for it again
 * before they have had the time to ask. Otherwise it would be granted the lock again and again between two of their polls.
 *
 * <p>Others want a lock if they held it when this client asked, not long ago. Remembers the locks that were contended last.
 * Thread-safe. Only {@link #refused} allocates.
 */
public final class Turns {
    private static final int MOST = 1_000;

    /** A pause between two polls is about half of what was waited before, and lasts from half a millisecond to 50. */
    private static final long SHORTEST_NANOS = 5_000_000;

    private static final long LONGEST_NANOS = 55_000_000;

    /** Who was refused in this time before a release still counts as one of several who want the lock. */
    private static final long CONTENDED_NANOS = 2_000_000_000;

    private static final class Contended {
        private long refusedAt;
        private long askFrom;
    }

    private final boolean yields;

    private final Map<String, Contended> contended = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Contended> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Nothing is contended yet.
     *
     * @param yields false for a store that itself decides whose turn it is, or tells the next one: nobody is made to pause then
     */
    public Turns(boolean yields) {
        this.yields = yields;
    }

    /** The store has just answered that others hold a lock. */
    public void refused(String name, long now) {
        if (yields) {
            synchronized (contended) {
                Contended lock = contended.computeIfAbsent(name, first -> new Contended());
                lock.refusedAt = now;
                lock.askFrom = now;
            }
        }
    }

    /**
     * This client has just released a lock at the store.
     *
     * @param held for how long it kept others waiting
     */
    public void released(String name, long held, long now) {
        if (yields) {
            synchronized (contended) {
                Contended lock = contended.get(name);
                if (lock != null && now - held - lock.refusedAt < CONTENDED_NANOS) {
                    lock.askFrom = now + Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, held));
                }
            }
        }
    }

    /** From when on this client may ask for a lock without coming before others: {@code now} or later. */
    public long askFrom(String name, long now) {
        if (!yields) {
            return now;
        }
        synchronized (contended) {
            Contended lock = contended.get(name);
            return lock == null || lock.askFrom - now < 0 ? now : lock.askFrom;
        }
    }
}
