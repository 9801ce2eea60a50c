// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Renewal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Wrong ways to take a lock away. */
final class WrongRevocations {
    private WrongRevocations() {}

    /** Cuts or changes the reason. */
    static class ChangesTheReason extends TinyStore {
        private final Function<String, String> change;

        ChangesTheReason(Function<String, String> change) {
            this.change = change;
        }

        @Override
        boolean revoke(String lock, String reason, boolean atOnce) {
            return super.revoke(lock, change.apply(reason), atOnce);
        }
    }

    /** An empty reason is none, and without a reason the lock was not revoked. */
    static final class AnEmptyReasonIsNone extends TinyStore {
        @Override
        boolean revoke(String lock, String reason, boolean atOnce) {
            boolean held = super.revoke(lock, reason, atOnce);
            synchronized (this) {
                Entry entry = entries.get(key(lock));
                if (entry != null && reason.isEmpty()) {
                    entry.revoked = null;
                }
            }
            return held;
        }
    }

    /** A mark that stays with the name, and is removed by a release only. */
    static class TheMarkStaysWithTheName extends TinyStore {
        final Map<String, String> marks = new HashMap<>();

        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            boolean held = super.revoke(lock, reason, atOnce);
            if (held) {
                marks.put(lock, reason);
            }
            return held;
        }

        @Override
        void grant(TinyClaim claim) {
            super.grant(claim);
            Entry entry = live(claim);
            if (entry != null) {
                entry.revoked = marks.get(claim.request.lock());
            }
        }

        @Override
        void remove(TinyClaim claim) {
            super.remove(claim);
            marks.remove(claim.request.lock());
        }
    }

    /** The same, but a lock that is freed at once loses its mark. */
    static final class TheMarkOutlivesTheLease extends TheMarkStaysWithTheName {
        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            boolean held = super.revoke(lock, reason, atOnce);
            if (atOnce) {
                marks.remove(lock);
            }
            return held;
        }
    }

    /** Only tells of it: the next holder looks revoked, and is not. */
    static final class TheNoteOutlivesTheHolder extends TinyStore {
        private final Map<String, String> notes = new HashMap<>();

        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            boolean held = super.revoke(lock, reason, atOnce);
            if (held) {
                notes.put(lock, reason);
            }
            return held;
        }

        @Override
        LockHolder holder(Entry entry) {
            String before = entry.revoked;
            entry.revoked = before == null ? notes.get(entry.claim.request.lock()) : before;
            try {
                return super.holder(entry);
            } finally {
                entry.revoked = before;
            }
        }
    }

    /** A repeated try of the holder finds its own owner, and writes the lock anew, without the mark. */
    static final class ARepeatedTryUndoesIt extends TinyStore {
        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            Entry entry = live(claim);
            if (entry != null && entry.owner.equals(owner(claim)) && entry.revoked != null) {
                entry.revoked = null;
                extend(entry, claim);
                return true;
            }
            return super.tryAcquire(claim);
        }
    }

    /** The holder is told once, and the mark is gone: its next renewal succeeds. */
    static final class IsToldOnce extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            Entry entry = live(claim);
            boolean renewed = super.renew(claim);
            if (entry != null && !renewed && entry.owner.equals(owner(claim))) {
                entry.revoked = null;
            }
            return renewed;
        }
    }

    /** A renewal is refused, and keeps the lock for another lease all the same. */
    static final class ARefusedRenewalForgetsTheReason extends TinyStore {
        @Override
        synchronized boolean renew(TinyClaim claim) {
            Entry entry = live(claim);
            boolean renewed = super.renew(claim);
            if (entry != null && !renewed && entry.owner.equals(owner(claim))) {
                entry.revoked = "";
            }
            return renewed;
        }
    }

    /** The batch does not look at revocations. */
    static final class ABatchRenewsTheRevoked extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            if (renewals.size() == 1 && live((TinyClaim) renewals.get(0).claim()) != null) {
                return List.of(Answer.YES);
            }
            return right.apply(renewals);
        }
    }

    /** The name is a pattern of a shell. */
    static final class TheNameIsAPattern extends TinyStore {
        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            Pattern pattern = Pattern.compile(
                    Pattern.quote(lock).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q"), Pattern.DOTALL);
            List<String> hit = entries.keySet().stream()
                    .filter(name -> pattern.matcher(name).matches())
                    .toList();
            hit.forEach(name -> super.revoke(name, reason, atOnce));
            return !hit.isEmpty();
        }
    }

    /** Revokes all that begins with the name. */
    static final class TakesWhatBeginsAlike extends TinyStore {
        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            List<String> hit = entries.keySet().stream()
                    .filter(name -> name.startsWith(lock))
                    .toList();
            hit.forEach(name -> super.revoke(name, reason, atOnce));
            return !hit.isEmpty();
        }
    }

    /** Revokes the holder's client: all that it holds. */
    static final class TakesAllOfTheClient extends TinyStore {
        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            Entry held = entries.get(key(lock));
            if (held == null) {
                return false;
            }
            List<String> hit = entries.values().stream()
                    .filter(entry -> entry.claim.backend == held.claim.backend)
                    .map(entry -> entry.claim.request.lock())
                    .toList();
            hit.forEach(name -> super.revoke(name, reason, atOnce));
            return true;
        }
    }

    /** The last reason is everybody's. */
    static final class OneReasonForAllLocks extends TinyStore {
        private String last = "";

        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            last = reason;
            return super.revoke(lock, reason, atOnce);
        }

        @Override
        Loss loss(@Nullable Entry entry, TinyClaim claim) {
            Loss loss = super.loss(entry, claim);
            return loss.cause() == LossCause.REVOKED ? new Loss(loss.cause(), last) : loss;
        }
    }

    /** What is revoked already is not revoked again: the lock is not freed at once. */
    static final class OnceIsEnough extends TinyStore {
        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            Entry entry = entries.get(key(lock));
            return entry != null && entry.revoked != null || super.revoke(lock, reason, atOnce);
        }
    }

    /** A revoked lock counts as free for whoever revokes. */
    static final class RevokedIsNotHeld extends TinyStore {
        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            Entry entry = entries.get(key(lock));
            return (entry == null || entry.revoked == null) && super.revoke(lock, reason, atOnce);
        }
    }

    /** A second revocation takes the first one back. */
    static final class Toggles extends TinyStore {
        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            Entry entry = entries.get(key(lock));
            if (entry != null && entry.revoked != null && !atOnce) {
                entry.revoked = null;
                return true;
            }
            return super.revoke(lock, reason, atOnce);
        }
    }

    /** Whoever was revoked once gets no more tries through, also not the next claim of the same client. */
    static final class BansTheName extends TinyStore {
        private final Set<String> banned = new HashSet<>();

        @Override
        synchronized boolean revoke(String lock, String reason, boolean atOnce) {
            boolean held = super.revoke(lock, reason, atOnce);
            if (held) {
                banned.add(lock);
            }
            return held;
        }

        @Override
        synchronized boolean renew(TinyClaim claim) {
            return !banned.contains(claim.request.lock()) && super.renew(claim);
        }
    }

    /** A revocation gives the holder another lease, to clean up. */
    static final class GivesTimeToCleanUp extends TinyStore {
        @Override
        void mark(Entry entry, String reason) {
            super.mark(entry, reason);
            entry.until += leaseNanos(entry.claim);
        }
    }

    /** A release that is refused says no more than that. */
    static final class ReleasesTellNoReason extends TinyStore {
        @Override
        boolean release(TinyClaim claim) {
            Loss before = claim.loss;
            boolean held = super.release(claim);
            claim.loss = new Loss(LossCause.EVICTED_OR_DELETED, before.detail());
            return held;
        }
    }

    /** A revoked lock is held since its revocation. */
    static final class HeldSinceTheRevocation extends TinyStore {
        @Override
        void mark(Entry entry, String reason) {
            super.mark(entry, reason);
            entry.since = now();
        }
    }

    /** A store that writes its locks to a disk, and not that they were revoked. */
    static final class ForgottenAtARestart extends TinyStore {
        @Override
        void restart() {
            synchronized (this) {
                entries.values().forEach(entry -> entry.revoked = null);
            }
            super.restart();
        }
    }
}
