// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.ClaimRequest;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Wrong ways to remember the last token. */
final class WrongCounters {
    private WrongCounters() {}

    /** Knows of a block only when it is released: a lease that ends by itself, or by a revocation, gave one token. */
    static final class BlocksCountAtTheRelease extends TinyStore {
        @Override
        void grant(TinyClaim claim) {
            super.grant(claim);
            counters.put(key(claim), claim.fence);
        }

        @Override
        void remove(TinyClaim claim) {
            super.remove(claim);
            counters.merge(key(claim), claim.fence + claim.request.tokenCount() - 1, Math::max);
        }
    }

    /** What was raised is kept with the hold, and goes to the counter at its release. */
    static final class RaisesCountAtTheRelease extends TinyStore {
        private final Map<TinyClaim, Long> raised = new HashMap<>();

        @Override
        synchronized boolean raise(TinyClaim claim, long token) {
            Entry entry = live(claim);
            if (entry == null || !entry.owner.equals(owner(claim))) {
                return false;
            }
            raised.merge(claim, token, Math::max);
            return true;
        }

        @Override
        void remove(TinyClaim claim) {
            super.remove(claim);
            counters.merge(key(claim), raised.getOrDefault(claim, 0L), Math::max);
        }
    }

    /** A revocation that frees the lock at once sets the counter behind the first token of the victim. */
    static final class ARevocationEndsTheBlock extends TinyStore {
        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            Entry entry = entries.get(key(lock));
            boolean held = super.revoke(lock, reason, atOnce);
            if (held && entry != null) {
                counters.put(key(lock), entry.token);
            }
            return held;
        }
    }

    /** A repeated try takes the tokens of one. */
    static final class ARepeatedTrySetsTheCounter extends TinyStore {
        @Override
        void repeated(Entry entry) {
            super.repeated(entry);
            counters.put(key(entry.claim), entry.token);
        }
    }

    /** A repeated try reads the counter. */
    static final class ARepeatedTryReadsTheCounter extends TinyStore {
        @Override
        void repeated(Entry entry) {
            super.repeated(entry);
            entry.claim.fence = Math.max(
                    entry.claim.fence,
                    counters.getOrDefault(key(entry.claim), 0L) - entry.claim.request.tokenCount() + 1);
        }
    }

    /** Raising gives the holder the raised token, too. */
    static final class RaisingChangesTheHolders extends TinyStore {
        @Override
        void repeated(Entry entry) {
            super.repeated(entry);
            entry.claim.fence = entry.token;
        }

        @Override
        synchronized boolean raise(TinyClaim claim, long token) {
            boolean raised = super.raise(claim, token);
            Entry entry = live(claim);
            if (raised && entry != null) {
                entry.token = Math.max(entry.token, Math.min(token, entry.token + 1000));
            }
            return raised;
        }
    }

    /** The floor of a refused try is written to the lock, and the holder reads it at its next try. */
    static final class RefusedFloorsReachTheHolder extends TinyStore {
        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            boolean granted = super.tryAcquire(claim);
            Entry entry = live(claim);
            if (!granted && entry != null) {
                entry.token = Math.max(entry.token, claim.request.tokenFloor());
            }
            return granted;
        }

        @Override
        void repeated(Entry entry) {
            super.repeated(entry);
            entry.claim.fence = entry.token;
        }
    }

    /** The claim keeps the token of its first grant for ever. */
    static final class TheFirstTokenStays extends TinyStore {
        @Override
        void grant(TinyClaim claim) {
            long first = claim.fence;
            super.grant(claim);
            claim.fence = first > 0 ? first : claim.fence;
        }
    }

    /** Remembers the last tokens of a few locks. */
    static final class RemembersAFew extends TinyStore {
        private final Map<String, Long> few = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                return size() > 50;
            }
        };

        @Override
        long nextToken(TinyClaim claim) {
            counters.keySet().retainAll(few.keySet());
            few.put(key(claim), 0L);
            return super.nextToken(claim);
        }
    }

    /** Whoever has waited gets the token after that of the holder before, whatever that one has raised. */
    static final class TheLineCountsOn extends TinyStore {
        private final Map<String, Long> given = new HashMap<>();

        @Override
        long nextToken(TinyClaim claim) {
            long next = super.nextToken(claim);
            Long before = given.get(key(claim));
            long token = claim.request.waits() && before != null ? before + 1 : next;
            given.put(key(claim), token);
            return token;
        }
    }

    /** A claim whose lock was freed at once still raises, as nobody else has it. */
    static final class RaisesWhatIsFree extends TinyStore {
        @Override
        synchronized boolean raise(TinyClaim claim, long token) {
            Entry entry = live(claim);
            if (entry == null && claim.fence > 0 && !claim.released) {
                counters.merge(key(claim), token, Math::max);
                return true;
            }
            return super.raise(claim, token);
        }
    }

    /** A claim whose lock was freed at once is told no, and raises. */
    static final class RaisesAndSaysNo extends TinyStore {
        @Override
        synchronized boolean raise(TinyClaim claim, long token) {
            if (claim.fence > 0 && !claim.released) {
                counters.merge(key(claim), token, Math::max);
            }
            return super.raise(claim, token);
        }
    }

    /** A revoked claim is told yes, and raises nothing. */
    static final class RevokedRaiseOnPaper extends TinyStore {
        @Override
        synchronized boolean raise(TinyClaim claim, long token) {
            Entry entry = live(claim);
            boolean revoked = entry != null && entry.revoked != null && entry.owner.equals(owner(claim));
            return revoked || super.raise(claim, token);
        }
    }

    /** Behind the greatest floor the counter starts again. */
    static final class StartsAgainAboveTheFloors extends TinyStore {
        @Override
        long nextToken(TinyClaim claim) {
            if (counters.getOrDefault(key(claim), 0L) >= ClaimRequest.HIGHEST_RAISED_TOKEN) {
                counters.remove(key(claim));
            }
            return super.nextToken(claim);
        }
    }

    /** Counts with doubles of which the last bits are for something else. */
    static final class RoundsHighTokens extends TinyStore {
        @Override
        long nextToken(TinyClaim claim) {
            long token = super.nextToken(claim);
            return token > ClaimRequest.HIGHEST_RAISED_TOKEN ? token / 64 * 64 : token;
        }
    }

    /** Multiplies what is given above the highest floor, so that it does not fit. */
    static final class LeavesRoomForBlocks extends TinyStore {
        @Override
        long nextToken(TinyClaim claim) {
            long token = super.nextToken(claim);
            if (token > ClaimRequest.HIGHEST_RAISED_TOKEN) {
                token += token / 2;
                counters.put(key(claim), token + claim.request.tokenCount());
            }
            return token;
        }
    }

    /** Whoever begins to wait gets its token then. */
    static final class WaitersHaveTheirTokens extends TinyStore {
        private final Map<TinyClaim, Long> tokens = new HashMap<>();

        @Override
        boolean tryAcquire(TinyClaim claim) {
            synchronized (this) {
                if (claim.request.waits() && live(claim) != null && !tokens.containsKey(claim)) {
                    tokens.put(claim, super.nextToken(claim));
                }
            }
            return super.tryAcquire(claim);
        }

        @Override
        long nextToken(TinyClaim claim) {
            Long token = tokens.remove(claim);
            return token == null ? super.nextToken(claim) : token;
        }
    }
}
