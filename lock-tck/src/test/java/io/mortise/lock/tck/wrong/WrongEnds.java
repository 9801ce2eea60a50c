// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Renewal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Wrong ways to treat a claim that has lost its lock. */
final class WrongEnds {
    private WrongEnds() {}

    /** A release compares the owner, and not the end of the lease. */
    static final class ReleaseIgnoresTheEnd extends TinyStore {
        @Override
        synchronized boolean release(TinyClaim claim) {
            Entry entry = entries.get(key(claim));
            boolean ended = entry != null && entry.owner.equals(owner(claim)) && live(claim) == null;
            if (ended) {
                remove(claim);
            }
            return super.release(claim) || ended;
        }
    }

    /** Refuses a revoked holder everything, also its release. */
    static final class RevokedCannotRelease extends TinyStore {
        @Override
        synchronized boolean release(TinyClaim claim) {
            Entry entry = live(claim);
            return (entry == null || entry.revoked == null) && super.release(claim);
        }
    }

    /** Claims that are renewed together are compared by their owners only. */
    static final class BatchResurrects extends TinyStore {
        @Override
        synchronized List<Renewal> batch(List<Renewal> renewals) {
            for (Entry entry : entries.values()) {
                boolean asked = renewals.stream().anyMatch(renewal -> renewal.claim() == entry.claim);
                if (asked && entry.until - now() <= 0) {
                    super.extend(entry, entry.claim);
                }
            }
            return renewals;
        }
    }

    /** Who was refused a renewal holds until its lease ends, and also after that. */
    static final class EndedHoldOn extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            Entry entry = entries.get(key(claim));
            boolean renewed = super.renew(claim);
            claim.heldAtRefusal |= entry != null && entry.owner.equals(owner(claim));
            return renewed;
        }
    }

    /** A try that finds its own ended grant goes on with it. */
    static final class TryGoesOnWithAnEndedGrant extends TinyStore {
        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            Entry entry = entries.get(key(claim));
            if (entry != null && entry.owner.equals(owner(claim)) && live(claim) == null) {
                extend(entry, claim);
                return true;
            }
            return super.tryAcquire(claim);
        }
    }

    /** A renewal brings back what its own claim has released. */
    static final class RenewalBringsBackTheReleased extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            if (claim.released && claim.fence > 0 && !entries.containsKey(key(claim))) {
                grant(claim);
            }
            return super.renew(claim);
        }
    }

    /** The counter is raised by whoever held the lock last. */
    static final class EndedRaise extends TinyStore {
        @Override
        synchronized boolean raise(TinyClaim claim, long token) {
            Entry entry = entries.get(key(claim));
            if (entry != null && entry.owner.equals(owner(claim))) {
                counters.merge(key(claim), token, Math::max);
                return true;
            }
            return false;
        }
    }

    /** The counter is raised by a claim that was revoked, too. */
    static final class RevokedRaise extends TinyStore {
        @Override
        synchronized boolean raise(TinyClaim claim, long token) {
            if (live(claim) == null && claim.loss.cause() == LossCause.REVOKED) {
                counters.merge(key(claim), token, Math::max);
                return true;
            }
            return super.raise(claim, token);
        }
    }

    /** A revocation asks whether there is a record, and not whether its lease has ended. */
    static final class RevokesTheEnded extends TinyStore {
        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            return super.revoke(lock, reason, atOnce) || entries.remove(key(lock)) != null;
        }
    }

    /** A lock that was freed at once can be freed again. */
    static final class RevokesTwice extends TinyStore {
        private final Set<String> freed = new HashSet<>();

        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            boolean held = super.revoke(lock, reason, atOnce);
            return atOnce && held ? freed.add(lock) : held || freed.contains(lock);
        }

        @Override
        void grant(TinyClaim claim) {
            freed.remove(claim.request.lock());
            super.grant(claim);
        }
    }
}
