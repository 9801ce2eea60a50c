// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Wrong ways to compare and to act: in two steps, with a gap between them in which the lock may become another's. */
final class WrongAtomicity {
    /** A tenth of a millisecond: the way to a server in the same room, and back. */
    static final Gap SHORT = Gap.parking(TimeUnit.MICROSECONDS.toNanos(100));

    private WrongAtomicity() {}

    /** What passes between two steps. */
    @FunctionalInterface
    interface Gap {
        void pass();

        /** The thread does not run. */
        static Gap parking(long nanos) {
            return () -> {
                for (long end = System.nanoTime() + nanos, left = nanos; left > 0; left = end - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
            };
        }

        /** The thread works. */
        static Gap spinning(long nanos) {
            return () -> {
                for (long end = System.nanoTime() + nanos; System.nanoTime() - end < 0; ) {
                    Thread.onSpinWait();
                }
            };
        }
    }

    /** A store with a gap somewhere. */
    abstract static class WithAGap extends TinyStore {
        final Gap gap;

        WithAGap(Gap gap) {
            this.gap = gap;
        }

        final synchronized boolean isIts(TinyClaim claim) {
            Entry entry = live(claim);
            return entry != null && entry.owner.equals(owner(claim)) && entry.revoked == null;
        }
    }

    /** W4: GET, compare, DEL. */
    static final class ReleaseComparesThenDeletes extends WithAGap {
        ReleaseComparesThenDeletes(Gap gap) {
            super(gap);
        }

        @Override
        boolean release(TinyClaim claim) {
            boolean mine = isIts(claim);
            if (mine) {
                gap.pass();
            }
            synchronized (this) {
                if (!mine) {
                    return super.release(claim);
                }
                claim.released = true;
                remove(claim);
                leave(claim);
                return true;
            }
        }
    }

    /** Compares first and deletes then, and the delete tells whether there was something to delete, whosever it was. */
    static final class ReleaseTellsWhatTheDeleteFound extends WithAGap {
        ReleaseTellsWhatTheDeleteFound(Gap gap) {
            super(gap);
        }

        @Override
        boolean release(TinyClaim claim) {
            boolean mine = isIts(claim);
            if (mine) {
                gap.pass();
            }
            synchronized (this) {
                claim.released = true;
                return mine && entries.remove(key(claim)) != null;
            }
        }
    }

    /** SELECT the owner, then UPDATE the end of the lease whosever it is. */
    static final class RenewalComparesThenExtends extends WithAGap {
        RenewalComparesThenExtends(Gap gap) {
            super(gap);
        }

        @Override
        boolean renew(TinyClaim claim) {
            if (!isIts(claim)) {
                return super.renew(claim);
            }
            gap.pass();
            synchronized (this) {
                Entry entry = entries.get(key(claim));
                if (entry != null) {
                    extend(entry, claim);
                }
                return entry != null;
            }
        }
    }

    /** Reads the record, changes it and writes all of it back. */
    static final class RenewalWritesBack extends WithAGap {
        RenewalWritesBack(Gap gap) {
            super(gap);
        }

        @Override
        boolean renew(TinyClaim claim) {
            Entry mine;
            synchronized (this) {
                mine = live(claim);
                if (mine == null || !isIts(claim)) {
                    return super.renew(claim);
                }
            }
            gap.pass();
            synchronized (this) {
                extend(mine, claim);
                entries.put(key(claim), mine);
                return true;
            }
        }
    }

    /** Looks whether the lease has ended, and compares only the owner when it writes. */
    static final class RenewalLooksAtTheEndFirst extends WithAGap {
        RenewalLooksAtTheEndFirst(Gap gap) {
            super(gap);
        }

        @Override
        boolean renew(TinyClaim claim) {
            if (!isIts(claim)) {
                return super.renew(claim);
            }
            gap.pass();
            synchronized (this) {
                Entry entry = entries.get(key(claim));
                if (entry == null || !entry.owner.equals(owner(claim))) {
                    // Answers by what it saw, not by what it did.
                    return true;
                }
                extend(entry, claim);
                return true;
            }
        }
    }

    /** A try that finds its own grant extends whatever is there a moment later. */
    static final class RepeatedTryComparesThenExtends extends WithAGap {
        RepeatedTryComparesThenExtends(Gap gap) {
            super(gap);
        }

        @Override
        boolean tryAcquire(TinyClaim claim) {
            if (!isIts(claim)) {
                return super.tryAcquire(claim);
            }
            gap.pass();
            synchronized (this) {
                Entry entry = entries.get(key(claim));
                if (entry != null) {
                    extend(entry, claim);
                }
                return true;
            }
        }
    }

    /** Sees that the lease has ended, and then writes its own without looking again. */
    static final class TryComparesThenWrites extends WithAGap {
        TryComparesThenWrites(Gap gap) {
            super(gap);
        }

        @Override
        boolean tryAcquire(TinyClaim claim) {
            boolean ended;
            synchronized (this) {
                ended = live(claim) == null && entries.containsKey(key(claim));
            }
            if (!ended) {
                return super.tryAcquire(claim);
            }
            gap.pass();
            synchronized (this) {
                grant(claim);
                return true;
            }
        }
    }

    /** Asks whose the lock is, and then raises the counter. */
    static final class RaisingComparesThenSets extends WithAGap {
        RaisingComparesThenSets(Gap gap) {
            super(gap);
        }

        @Override
        boolean raise(TinyClaim claim, long token) {
            if (!isIts(claim)) {
                return super.raise(claim, token);
            }
            gap.pass();
            synchronized (this) {
                counters.merge(key(claim), token, Math::max);
                return true;
            }
        }
    }

    /** Compares the owner and the counter, and then sets the counter, which may have risen since. Its tokens are counted, not taken from a clock. */
    static final class RaisingLowersWhatHasRisen extends WithAGap {
        RaisingLowersWhatHasRisen(Gap gap) {
            super(gap);
        }

        @Override
        long nextToken(TinyClaim claim) {
            long token = Math.max(counters.getOrDefault(key(claim), 0L), claim.request.tokenFloor()) + 1;
            counters.put(key(claim), token + claim.request.tokenCount() - 1);
            return token;
        }

        @Override
        boolean raise(TinyClaim claim, long token) {
            boolean lower;
            synchronized (this) {
                lower = counters.getOrDefault(key(claim), 0L) <= token;
                if (!isIts(claim) || !lower) {
                    return super.raise(claim, token);
                }
            }
            gap.pass();
            synchronized (this) {
                counters.put(key(claim), token);
                return true;
            }
        }
    }

    /** Looks whether somebody holds the lock, and then frees it. */
    static final class RevocationLooksThenFrees extends WithAGap {
        RevocationLooksThenFrees(Gap gap) {
            super(gap);
        }

        @Override
        boolean revoke(String lock, String reason, boolean atOnce) {
            Entry entry;
            synchronized (this) {
                entry = entries.get(key(lock));
                if (!atOnce || entry == null || entry.until - now() <= 0) {
                    return super.revoke(lock, reason, atOnce);
                }
            }
            gap.pass();
            synchronized (this) {
                entry.claim.loss = new Loss(LossCause.REVOKED, reason);
                entries.remove(key(lock));
                return true;
            }
        }
    }
}
