// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import java.util.List;

/** Wrong ways to let go. */
final class WrongReleases {
    private static final int STEP_MILLIS = 40;
    private static final int LONGEST_GAP_MILLIS = 2_000;
    private static final long CLOSE_TO_THE_END_NANOS = 100_000_000;

    private WrongReleases() {}

    /** W3: deletes without asking whose it is. */
    static final class DeletesAnybodys extends TinyStore {
        @Override
        synchronized boolean release(TinyClaim claim) {
            claim.released = true;
            return entries.remove(key(claim)) != null;
        }
    }

    /** The thread does not run for a while, as threads do at the worst moment: when the lease ends, and until another has got the lock. */
    private static void awaitNextHolder(TinyStore store, TinyClaim claim) {
        for (int waited = 0; waited < LONGEST_GAP_MILLIS && isEndingOrFree(store, claim); waited += STEP_MILLIS) {
            TinyBackend.pause(STEP_MILLIS);
        }
    }

    private static boolean isEndingOrFree(TinyStore store, TinyClaim claim) {
        synchronized (store) {
            TinyStore.Entry entry = store.live(claim);
            return entry == null || (entry.claim == claim && entry.until - store.now() < CLOSE_TO_THE_END_NANOS);
        }
    }

    /** W7: asks its own clock whether it still holds, and deletes without asking the store. */
    static final class TrustsItsOwnClock extends TinyStore {
        @Override
        boolean release(TinyClaim claim) {
            boolean stillMine;
            synchronized (this) {
                claim.released = true;
                Entry entry = entries.get(key(claim));
                stillMine = entry != null && entry.claim == claim && entry.until - now() > 0;
            }
            if (stillMine) {
                awaitNextHolder(this, claim);
            }
            synchronized (this) {
                if (stillMine) {
                    entries.remove(key(claim));
                }
                return stillMine;
            }
        }
    }

    /** W19: tells the waiters first, and deletes then. */
    static final class TellsBeforeItDeletes extends TinyStore {
        @Override
        boolean release(TinyClaim claim) {
            List<TinyClaim> told;
            synchronized (this) {
                claim.released = true;
                told = List.copyOf(waiting.getOrDefault(key(claim), List.of()));
            }
            told.forEach(waiter -> waiter.nudge.run());
            TinyBackend.pause(15);
            synchronized (this) {
                Entry entry = live(claim);
                boolean held = entry != null && entry.owner.equals(owner(claim));
                if (held) {
                    remove(claim);
                }
                leave(claim);
                return held;
            }
        }
    }

    /** Says that it held, whatever was. */
    static final class AlwaysSaysYes extends TinyStore {
        @Override
        boolean release(TinyClaim claim) {
            super.release(claim);
            return true;
        }
    }

    /** Never frees: a release is only believed. */
    static final class FreesNothing extends TinyStore {
        @Override
        void remove(TinyClaim claim) {
            counters.putIfAbsent(key(claim), 0L);
        }
    }

    /** Closed clients go on working. */
    static final class IgnoresClosing extends TinyStore {
        @Override
        boolean heedsClosing() {
            return false;
        }
    }

    /** A try that comes after its own release gets the lock, without an end. */
    static final class LateTryHoldsForEver extends TinyStore {
        @Override
        boolean refusesLateTries() {
            return false;
        }

        @Override
        long leaseNanos(TinyClaim claim) {
            return claim.released ? Long.MAX_VALUE / 4 : super.leaseNanos(claim);
        }
    }

    /** A release waits for a moment, so that others see it. */
    static final class Lingers extends TinyStore {
        @Override
        boolean release(TinyClaim claim) {
            TinyBackend.pause(100);
            return super.release(claim);
        }
    }
}
