// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.spi.Feature;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Wrong ways to look at locks and to take them away. */
final class WrongAdmin {
    private WrongAdmin() {}

    /** A revocation frees the lock at once, whether asked to or not: two holders. */
    static final class RevokesAtOnce extends TinyStore {
        @Override
        boolean revoke(String lock, String reason, boolean atOnce) {
            return super.revoke(lock, reason, true);
        }
    }

    /** A revoked holder goes on renewing. */
    static final class RevokedHoldersRenew extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            Entry entry = live(claim);
            if (entry != null && entry.owner.equals(owner(claim))) {
                extend(entry, claim);
                return true;
            }
            return false;
        }
    }

    /** A revoked holder is not told why. */
    static final class RevokesWithoutAReason extends TinyStore {
        @Override
        Loss loss(@Nullable Entry entry, TinyClaim claim) {
            return claim.loss;
        }
    }

    /** A revoked holder that asks loses the rest of its lease, and is told that it has it. */
    static final class FreesWhenTheRevokedAsks extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            boolean renewed = super.renew(claim);
            if (claim.heldAtRefusal) {
                entries.remove(key(claim));
            }
            return renewed;
        }
    }

    /** Whoever was revoked is told that it holds until its lease ends, also if the lock was freed at once. */
    static final class RevokedAtOnceHoldsOn extends TinyStore {
        @Override
        boolean holdsUntilLeaseEnds(TinyClaim claim) {
            return super.holdsUntilLeaseEnds(claim) || claim.loss.detail().equals("then");
        }
    }

    /** Once revoked, a holder is told for ever that it holds. */
    static final class RevokedHoldForEver extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            boolean before = claim.heldAtRefusal;
            boolean renewed = super.renew(claim);
            claim.heldAtRefusal |= before;
            return renewed;
        }
    }

    /** A renewal counts as a new grant. */
    static final class HeldSinceTheRenewal extends TinyStore {
        @Override
        void extend(Entry entry, TinyClaim claim) {
            super.extend(entry, claim);
            entry.since = now();
        }
    }

    /** The time that a claim waited counts as held. */
    static final class HeldSinceTheFirstTry extends TinyStore {
        private final Map<TinyClaim, Long> tried = new HashMap<>();

        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            tried.putIfAbsent(claim, now());
            return super.tryAcquire(claim);
        }

        @Override
        void grant(TinyClaim claim) {
            super.grant(claim);
            Entry entry = live(claim);
            if (entry != null) {
                entry.since = tried.getOrDefault(claim, entry.since);
            }
        }
    }

    /** Tells what was left of the lease if it had not been renewed to another one. */
    static final class TellsTheFirstLease extends TinyStore {
        @Override
        LockHolder holder(Entry entry) {
            LockHolder told = super.holder(entry);
            Optional<Duration> first = Optional.of(entry.claim.request.lease().minus(told.heldFor()));
            return WrongListings.with(told, told.heldFor(), first, told.waiters());
        }
    }

    /** A revocation of a free lock hits the next holder. */
    static final class RevokesTheNextHolder extends TinyStore {
        private boolean pending;

        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            pending = !super.revoke(lock, reason, atOnce);
            return !pending;
        }

        @Override
        void grant(TinyClaim claim) {
            super.grant(claim);
            Entry entry = live(claim);
            if (entry != null && pending) {
                entry.revoked = "too late";
                pending = false;
            }
        }
    }

    /** Looking keeps the lock alive, as reading a key with a sliding end does. */
    static final class LookingExtends extends TinyStore {
        @Override
        synchronized Optional<LockHolder> inspect(String lock) {
            Entry entry = entries.get(key(lock));
            if (entry != null && entry.until - now() > 0) {
                extend(entry, entry.claim);
            }
            return super.inspect(lock);
        }
    }

    /** Shows the owner, with which anybody can release the lock. */
    static final class ShowsTheOwner extends TinyStore {
        @Override
        LockHolder holder(Entry entry) {
            return new LockHolder(
                    entry.claim.request.lock(),
                    entry.claim.request.label() + " " + entry.owner,
                    entry.token,
                    Duration.ZERO,
                    Optional.of(Duration.ZERO),
                    OptionalInt.empty(),
                    Optional.empty());
        }
    }

    /** Answers the first page again and again. */
    static final class ForgetsThePage extends TinyStore {
        @Override
        List<LockHolder> list(String prefix, String after, int limit) {
            return super.list(prefix, "", limit);
        }
    }

    /** Answers an empty list instead of saying that it cannot list. */
    static final class PretendsToList extends TinyStore {
        @Override
        Set<Feature> features() {
            return Set.of(Feature.FENCED, Feature.PROMPT, Feature.REVOCABLE);
        }

        @Override
        List<LockHolder> list(String prefix, String after, int limit) {
            return List.of();
        }
    }

    /** Cannot list, and tells of every lock that nobody holds it instead of saying that it does not know. */
    static final class SeesNobody extends TinyStore {
        @Override
        Set<Feature> features() {
            return Set.of(Feature.FENCED, Feature.PROMPT, Feature.REVOCABLE);
        }

        @Override
        Optional<LockHolder> inspect(String lock) {
            return Optional.empty();
        }

        @Override
        List<LockHolder> list(String prefix, String after, int limit) {
            throw new UnsupportedOperationException("this store cannot list");
        }
    }

    /** Pretends to revoke. */
    static final class PretendsToRevoke extends TinyStore {
        @Override
        Set<Feature> features() {
            return Set.of(Feature.FENCED, Feature.PROMPT, Feature.LISTABLE);
        }
    }
}
