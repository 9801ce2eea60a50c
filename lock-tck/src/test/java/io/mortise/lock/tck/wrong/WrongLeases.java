// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.testing.LossyBackend;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Wrong ways to count time. */
final class WrongLeases {
    private WrongLeases() {}

    /** W1: takes the lock first and sets its end with a second call, which never comes if the client dies. */
    static final class SetsTheEndLater extends TinyStore {
        @Override
        void grant(TinyClaim claim) {
            super.grant(claim);
            Entry entry = live(claim);
            if (entry != null) {
                entry.until = Long.MAX_VALUE / 2;
            }
        }
    }

    /** W5: a lease in whole seconds, rounded down. */
    static final class RoundsToSeconds extends TinyStore {
        @Override
        long leaseNanos(TinyClaim claim) {
            return TimeUnit.SECONDS.toNanos(claim.request.lease().toSeconds());
        }
    }

    /** W9: the end of a lease is compared with the clock of the client that asks, and client B is an hour fast. */
    static final class TrustsClientClocks extends TinyStore {
        @Override
        boolean tryAcquire(TinyClaim claim) {
            synchronized (this) {
                long fast = claim.request.label().equals("B") ? 3_600_000_000_000L : 0;
                Entry entry = entries.get(key(claim));
                if (entry != null && entry.until - (now() + fast) <= 0) {
                    entries.remove(key(claim));
                }
                return super.tryAcquire(claim);
            }
        }
    }

    /** Counts leases from an exchange before the call that confirms them, and does not tell. */
    static class CountsFromAnEarlierExchange extends TinyStore {
        private final double spent;

        CountsFromAnEarlierExchange(double spent) {
            this.spent = spent;
        }

        @Override
        void extend(Entry entry, TinyClaim claim) {
            super.extend(entry, claim);
            entry.until -= nanosSpent(claim);
        }

        final long nanosSpent(TinyClaim claim) {
            return (long) (leaseNanos(claim) * spent);
        }
    }

    /** The end of a client frees what the client holds, whatever is left of its leases. */
    static final class ClosingFreesAll extends TinyStore {
        @Override
        synchronized void closed(TinyBackend client) {
            entries.values().removeIf(entry -> entry.claim.backend == client);
        }
    }

    /** What has no end has ended. */
    static final class EndlessIsFree extends TinyStore {
        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            Entry entry = live(claim);
            if (entry != null && entry.until == ENDLESS) {
                entries.remove(key(claim));
            }
            return super.tryAcquire(claim);
        }
    }

    /** A client does not notice that its session has ended, and goes on believing. */
    static final class SessionsEndSilently extends TinyStore {
        private final Set<TinyClaim> ended = new HashSet<>();

        @Override
        synchronized void endSession(LockBackend client) {
            entries.values().stream()
                    .map(entry -> entry.claim)
                    .filter(claim -> claim.backend == client)
                    .forEach(ended::add);
            super.endSession(client);
        }

        @Override
        synchronized boolean renew(TinyClaim claim) {
            return ended.contains(claim) || super.renew(claim);
        }
    }

    /** Says nothing of keeping its data, and keeps none. */
    static final class ForgetsAtRestart extends TinyStore {
        @Override
        void restart() {
            restartEmpty();
        }
    }

    /** The lease of a long run of milliseconds overflows an int. */
    static final class OverflowsAnInt extends TinyStore {
        @Override
        long leaseNanos(TinyClaim claim) {
            int millis = (int) claim.request.lease().toMillis();
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }

    /** The first lease that anybody asked for is everybody's. */
    static final class OneLeaseForAll extends TinyStore {
        private final Map<String, Long> first = new TreeMap<>();

        @Override
        long leaseNanos(TinyClaim claim) {
            return first.computeIfAbsent(key(claim), unused -> super.leaseNanos(claim));
        }
    }

    /** A repeated try answers yes, but its lease still ends when that of the first one does. */
    static final class RepeatedTryKeepsTheOldEnd extends TinyStore {
        @Override
        void repeated(Entry entry) {
            entry.claim.fence = entry.token;
        }
    }

    /** W11: renews whoever holds, not whoever asks. */
    static final class RenewsAnybody extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            Entry entry = live(claim);
            if (entry != null) {
                extend(entry, entry.claim);
            }
            return entry != null;
        }
    }

    /** W20: renews on paper only: the holder believes in a lease that the store does not know. */
    static final class RenewsOnPaper extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            Entry entry = live(claim);
            return entry != null && entry.owner.equals(owner(claim)) && entry.revoked == null;
        }
    }

    /** A renewal makes a lease no longer than the claim asked for at first. */
    static final class RenewsToTheFirstLeaseAtMost extends TinyStore {
        @Override
        long leaseNanos(TinyClaim claim) {
            return Math.min(super.leaseNanos(claim), claim.request.lease().toNanos());
        }
    }

    /** A renewal makes no lease shorter. */
    static final class NeverShortens extends TinyStore {
        @Override
        void extend(Entry entry, TinyClaim claim) {
            long before = entry.until;
            boolean isNew = entry.until == 0;
            super.extend(entry, claim);
            entry.until = isNew ? entry.until : Math.max(before, entry.until);
        }
    }

    /** All claims of a batch get the lease of the first. */
    static final class OneLeaseForABatch extends TinyStore {
        @Override
        List<Renewal> batch(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal -> new Renewal(renewal.claim(), renewals.get(0).lease()))
                    .toList();
        }
    }

    /** W13: one renewal that did not come ends all renewals. */
    static final class OneMissedRenewalEndsAll extends TinyStore {
        private final Map<String, Long> last = new TreeMap<>();

        @Override
        synchronized boolean renew(TinyClaim claim) {
            Long before = last.get(claim.request.owner());
            // A renewal comes by a third of the lease; after two that were lost, the next comes at 38 % at the
            // earliest.
            boolean missed = before != null && now() - before > leaseNanos(claim) * 36 / 100;
            return !missed && super.renew(claim);
        }

        @Override
        void extend(Entry entry, TinyClaim claim) {
            last.put(claim.request.owner(), now());
            super.extend(entry, claim);
        }
    }

    /** A lease that has ended is renewed if nobody else has taken the lock. */
    static final class Resurrects extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            Entry entry = entries.get(key(claim));
            if (entry != null && entry.owner.equals(owner(claim)) && entry.revoked == null) {
                extend(entry, claim);
                return true;
            }
            return false;
        }
    }

    /** A renewal creates the lock again if it is not there. */
    static final class RecreatesWhatWasDeleted extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            if (live(claim) == null && !claim.released && claim.fence > 0) {
                super.grant(claim);
            }
            return super.renew(claim);
        }
    }

    /** W12: a watchdog of the client's own goes on renewing after the release. */
    static final class WatchdogOutlivesTheRelease extends TinyStore {
        private @Nullable Thread watchdog;

        @Override
        boolean release(TinyClaim claim) {
            boolean held = super.release(claim);
            if (held) {
                watchdog = new Thread(() -> {
                    TinyBackend.pause(1);
                    synchronized (this) {
                        if (live(claim) == null) {
                            super.grant(claim);
                        }
                    }
                });
                watchdog.setDaemon(true);
                watchdog.start();
            }
            return held;
        }
    }

    /** A renewal compares the version that it saw last, and so refuses a holder who missed one reply. */
    static final class RefusesAfterALostReply extends TinyStore {
        private final Map<String, Integer> versions = new TreeMap<>();
        private final Map<String, Integer> seen = new TreeMap<>();

        @Override
        boolean renew(TinyClaim claim) {
            String owner = claim.request.owner();
            synchronized (this) {
                if (!versions.getOrDefault(owner, 0).equals(seen.getOrDefault(owner, 0)) || !super.renew(claim)) {
                    return false;
                }
                versions.merge(owner, 1, Integer::sum);
            }
            // The reply: what the client learns only if it arrives.
            if (!lossOfReplyAhead()) {
                seen.put(owner, versions.getOrDefault(owner, 0));
            }
            return true;
        }

        private static boolean lossOfReplyAhead() {
            return StackWalker.getInstance()
                    .walk(frames -> frames.anyMatch(
                            frame -> frame.getClassName().startsWith(LossyBackend.class.getPackageName())));
        }
    }
}
