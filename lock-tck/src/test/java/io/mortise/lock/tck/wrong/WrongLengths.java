// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/** Wrong lengths of leases: rounded, cut, wrapped, or not begun anew. */
final class WrongLengths {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private WrongLengths() {}

    /** A second and more is rounded down to whole seconds. */
    static long roundedDown(long nanos) {
        return nanos < SECOND ? nanos : nanos / SECOND * SECOND;
    }

    /** A second and more is rounded to the nearest. */
    static long rounded(long nanos) {
        return nanos < SECOND ? nanos : (nanos + SECOND / 2) / SECOND * SECOND;
    }

    static LongUnaryOperator cappedAt(Duration most) {
        return nanos -> Math.min(nanos, most.toNanos());
    }

    /** Counts milliseconds in 32 bits without a sign. */
    static long wrappedMillis(long nanos) {
        return TimeUnit.MILLISECONDS.toNanos(TimeUnit.NANOSECONDS.toMillis(nanos) & 0xffff_ffffL);
    }

    /** Counts milliseconds in 31 bits and a sign. */
    static long overflowingMillis(long nanos) {
        return TimeUnit.MILLISECONDS.toNanos((int) TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    /** Counts microseconds in 32 bits without a sign. */
    static long wrappedMicros(long nanos) {
        return TimeUnit.MICROSECONDS.toNanos(TimeUnit.NANOSECONDS.toMicros(nanos) & 0xffff_ffffL);
    }

    /** Every lease has another length than was asked for. */
    static final class OfEveryLease extends TinyStore {
        private final LongUnaryOperator wrong;

        OfEveryLease(LongUnaryOperator wrong) {
            this.wrong = wrong;
        }

        @Override
        long leaseNanos(TinyClaim claim) {
            return wrong.applyAsLong(super.leaseNanos(claim));
        }
    }

    /** Renewed leases have another length than was asked for. */
    static final class OfRenewals extends TinyStore {
        private final LongUnaryOperator wrong;
        private boolean renewing;

        OfRenewals(LongUnaryOperator wrong) {
            this.wrong = wrong;
        }

        @Override
        synchronized boolean renew(TinyClaim claim) {
            renewing = true;
            try {
                return super.renew(claim);
            } finally {
                renewing = false;
            }
        }

        @Override
        long leaseNanos(TinyClaim claim) {
            long right = super.leaseNanos(claim);
            return renewing ? wrong.applyAsLong(right) : right;
        }
    }

    /** Leases that are renewed together have another length than was asked for. */
    static final class OfBatches extends TinyStore {
        private final LongUnaryOperator wrong;

        OfBatches(LongUnaryOperator wrong) {
            this.wrong = wrong;
        }

        @Override
        List<Renewal> batch(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal -> new Renewal(
                            renewal.claim(),
                            Duration.ofNanos(Math.max(
                                    1, wrong.applyAsLong(renewal.lease().toNanos())))))
                    .toList();
        }
    }

    /** A renewal adds to what is left. */
    static final class RenewalAdds extends TinyStore {
        @Override
        void extend(Entry entry, TinyClaim claim) {
            long left = Math.max(0, entry.until - now());
            super.extend(entry, claim);
            entry.until += entry.until == 0 ? 0 : left;
        }
    }

    /** Answers yes to a renewal of a lease of which more than half is left, and does nothing. */
    static final class RenewsWhatIsAboutToEnd extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            Entry entry = live(claim);
            if (entry != null && entry.owner.equals(owner(claim)) && entry.revoked == null) {
                long left = entry.until - now();
                if (left > leaseNanos(claim) / 2 && left < leaseNanos(claim)) {
                    return true;
                }
            }
            return super.renew(claim);
        }
    }

    /** The client remembers that it holds, and does not ask again while more than half of its lease is left. */
    static final class RepeatedTryFromMemory extends TinyStore {
        @Override
        void repeated(Entry entry) {
            if (entry.until - now() < leaseNanos(entry.claim) / 2) {
                super.repeated(entry);
            }
        }
    }
}
