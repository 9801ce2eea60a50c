// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.Feature;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Wrong ways to count grants. */
final class WrongTokens {
    private WrongTokens() {}

    /** W15: the counter lives and dies with the lock. */
    static final class StartsAgain extends TinyStore {
        @Override
        long nextToken(TinyClaim claim) {
            long token = Math.max(counters.getOrDefault(key(claim), 0L), claim.request.tokenFloor()) + 1;
            counters.put(key(claim), token + claim.request.tokenCount() - 1);
            return token;
        }

        @Override
        void remove(TinyClaim claim) {
            super.remove(claim);
            counters.remove(key(claim));
        }
    }

    /** W15: the counter is lost when the data is, because no clock stands in for it. */
    static final class StartsAgainAfterDeletion extends TinyStore {
        @Override
        long nextToken(TinyClaim claim) {
            long token = Math.max(counters.getOrDefault(key(claim), 0L), claim.request.tokenFloor()) + 1;
            counters.put(key(claim), token + claim.request.tokenCount() - 1);
            return token;
        }
    }

    /** W16: each renewal and each repeated try is a new grant. */
    static final class RisesOnRenewal extends TinyStore {
        @Override
        void extend(Entry entry, TinyClaim claim) {
            super.extend(entry, claim);
            claim.fence = nextToken(claim);
        }
    }

    /** A token that only looks like one. */
    static final class Random extends TinyStore {
        @Override
        long nextToken(TinyClaim claim) {
            return ThreadLocalRandom.current().nextLong(1, 1L << 53);
        }
    }

    /** Does not fit a double. */
    static final class TooBig extends TinyStore {
        @Override
        long nextToken(TinyClaim claim) {
            return super.nextToken(claim) * 1000;
        }
    }

    /** The counter moves by one, however many tokens the grant has. */
    static final class ForgetsTheBlock extends TinyStore {
        @Override
        long nextToken(TinyClaim claim) {
            long last = Math.max(counters.getOrDefault(key(claim), 1_000_000_000_000_000L), claim.request.tokenFloor());
            counters.put(key(claim), last + 1);
            return last + 1;
        }
    }

    /** The floor is for the answer only, not for what comes after it. */
    static final class ForgetsTheFloor extends TinyStore {
        @Override
        long nextToken(TinyClaim claim) {
            long last = counters.getOrDefault(key(claim), 1_000_000_000_000L);
            counters.put(key(claim), last + claim.request.tokenCount());
            return Math.max(last + 1, claim.request.tokenFloor() + 1);
        }
    }

    /** Anybody raises the counter. */
    static final class AnybodyRaises extends TinyStore {
        @Override
        synchronized boolean raise(TinyClaim claim, long token) {
            counters.merge(key(claim), token, Math::max);
            return true;
        }
    }

    /** Raising sets, also to less. */
    static final class RaisingLowers extends TinyStore {
        @Override
        synchronized boolean raise(TinyClaim claim, long token) {
            boolean mine = super.raise(claim, token);
            if (mine) {
                counters.put(key(claim), token);
            }
            return mine;
        }
    }

    /** A claim reads the token of the lock, not its own. */
    static final class StaleClaimsReadTheNewest extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            Entry entry = live(claim);
            if (entry != null) {
                claim.fence = entry.token;
            }
            return super.renew(claim);
        }
    }

    /** A refused try reads the holder's token. */
    static final class RefusedTriesReadTheHolders extends TinyStore {
        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            boolean granted = super.tryAcquire(claim);
            Entry entry = live(claim);
            if (!granted && entry != null) {
                claim.fence = entry.token;
            }
            return granted;
        }
    }

    /** Has tokens, but does not say so. */
    static final class Undeclared extends TinyStore {
        @Override
        Set<Feature> features() {
            return Set.of(Feature.PROMPT, Feature.LISTABLE, Feature.REVOCABLE);
        }
    }

    /** Of what was released it tells nothing as its greatest token. */
    static final class TellsTheGreatestHeld extends TinyStore {
        @Override
        synchronized long highestToken() {
            return entries.values().stream()
                    .mapToLong(entry -> entry.token)
                    .max()
                    .orElse(0);
        }
    }

    /** Of a block it tells the first token as its greatest. */
    static final class TellsTheFirstOfABlock extends TinyStore {
        private long highest;

        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            boolean granted = super.tryAcquire(claim);
            highest = granted ? Math.max(highest, claim.fencingToken()) : highest;
            return granted;
        }

        @Override
        synchronized long highestToken() {
            return highest;
        }
    }
}
