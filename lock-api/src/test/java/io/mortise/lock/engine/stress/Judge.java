// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Judges a round when it is over: no two callers held one lock at once, and no token fell. */
final class Judge {
    private final List<Revocation> revocations;

    Judge(List<Revocation> revocations) {
        this.revocations = revocations;
    }

    /** Notes faults in the attempts of one name. */
    void judge(List<Attempt> attempts) {
        overlaps(attempts.stream()
                .filter(Attempt::wasHeld)
                .sorted(Comparator.comparingLong(attempt -> attempt.heldFrom))
                .toList());
        tokens(attempts.stream().filter(attempt -> attempt.token > 0).toList());
        for (Attempt attempt : attempts) {
            if (attempt.saidHeld && attempt.toldAt > 0) {
                attempt.fault("a listener was told of a loss, and the release said that there was none");
            }
        }
    }

    private void overlaps(List<Attempt> byBegin) {
        List<Attempt> open = new ArrayList<>();
        for (Attempt next : byBegin) {
            open.removeIf(earlier -> earlier.heldTo <= next.heldFrom);
            for (Attempt earlier : open) {
                if (!excused(earlier, next) && !excused(next, earlier)) {
                    next.fault("two hold the lock at once: the other has token " + earlier.token);
                }
            }
            open.add(next);
        }
    }

    /** Whether the lock was taken at once from the one, so that the other could get it. */
    private boolean excused(Attempt victim, Attempt other) {
        return revocations.stream()
                .anyMatch(revocation -> mayHaveTaken(revocation, victim)
                        && other.heldTo >= revocation.begin()
                        && (other.grant == null || other.grant != victim.grant));
    }

    private static boolean mayHaveTaken(Revocation revocation, Attempt victim) {
        return revocation.name() == victim.name && granted(victim) <= revocation.end();
    }

    private static long granted(Attempt attempt) {
        return attempt.grant == null ? attempt.begin : attempt.grant.asked;
    }

    /** A grant that certainly came after another has a greater token. */
    private void tokens(List<Attempt> attempts) {
        Map<Long, Attempt> byToken = new HashMap<>();
        for (Attempt attempt : attempts) {
            Attempt same = byToken.put(attempt.token, attempt);
            if (same != null) {
                attempt.fault("two grants have one token");
            }
        }
        List<Attempt> byFirstMoment = new ArrayList<>(attempts);
        byFirstMoment.sort(Comparator.comparingLong(attempt -> notBefore(attempt, byToken)));
        List<Attempt> byLastMoment = new ArrayList<>(attempts);
        byLastMoment.removeIf(attempt -> attempt.heldFrom == 0);
        byLastMoment.sort(Comparator.comparingLong(attempt -> attempt.heldFrom));
        long highest = 0;
        int passed = 0;
        for (Attempt later : byFirstMoment) {
            long begin = notBefore(later, byToken);
            while (passed < byLastMoment.size() && byLastMoment.get(passed).heldFrom < begin) {
                highest = Math.max(highest, byLastMoment.get(passed++).token);
            }
            if (later.token <= highest) {
                later.fault("a token fell: " + highest + " was granted before");
            }
        }
    }

    /**
     * The first moment at which it can have been granted: when it was asked for, or released by whom it was handed over from.
     * A client whose lock was taken from it at once hands it over until it learns of that: such a token is as old as the
     * store's grant.
     */
    private long notBefore(Attempt attempt, Map<Long, Attempt> byToken) {
        if (revocations.stream()
                .anyMatch(revocation -> mayHaveTaken(revocation, attempt) && attempt.heldFrom >= revocation.begin())) {
            return granted(attempt);
        }
        Attempt before = byToken.get(attempt.token - 1);
        boolean handedOver = before != null && before.grant != null && before.grant == attempt.grant;
        return handedOver ? Math.max(attempt.begin, before.releaseBegin) : attempt.begin;
    }
}
