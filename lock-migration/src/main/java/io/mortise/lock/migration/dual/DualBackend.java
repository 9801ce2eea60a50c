// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.dual;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds each lock in two stores at once: nobody who locks in either of them gets it meanwhile. A lease has a half in each; the loss of one
 * is the loss of the lease. The old store is asked first, and by all in the same order, so that no two wait for each other; waiting,
 * listing and looking are those of the old store, which everybody asks. Thread-safe.
 *
 * <p>Its tokens are those of the new store, above those of the old one; the old store is raised above them, so that tokens rise whichever of
 * the stores the next holder asks. It has tokens only if both stores have.
 */
public final class DualBackend implements LockBackend {
    static final String NAME = "the pair of stores";

    private final LockBackend old;
    private final LockBackend young;
    private final boolean fenced;

    /**
     * Made of two clients, which this one closes.
     *
     * @param old the store in which locks are held until now
     * @param young the other
     */
    public DualBackend(LockBackend old, LockBackend young) {
        this.old = old;
        this.young = young;
        fenced = old.features().contains(Feature.FENCED) && young.features().contains(Feature.FENCED);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new DualClaim(old, young, fenced, request, nudge);
    }

    /**
     * A claim of which one half is held already, as it was granted for the same request.
     *
     * @param oldHalf the half in the old store, or null
     * @param newHalf the half in the new store, or null if the other is given
     */
    public DualClaim claimBeside(
            ClaimRequest request, Runnable nudge, @Nullable Claim oldHalf, @Nullable Claim newHalf) {
        return new DualClaim(old, young, fenced, request, nudge, oldHalf, newHalf);
    }

    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        features.addAll(old.features());
        // What one store does alone would leave the other half.
        features.remove(Feature.REVOCABLE);
        features.remove(Feature.REGISTER);
        if (!fenced) {
            features.remove(Feature.FENCED);
        }
        return Set.copyOf(features);
    }

    /** The weaker of both: the other half of a lease may be gone already when one goes. */
    @Override
    public SafetyLevel safetyLevel() {
        return weaker(old.safetyLevel(), young.safetyLevel());
    }

    @Override
    public FencingStrength fencingStrength() {
        return fenced ? weaker(old.fencingStrength(), young.fencingStrength()) : FencingStrength.NONE;
    }

    private static <E extends Enum<E>> E weaker(E one, E other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    @Override
    public LeaseBounds leaseBounds() {
        LeaseBounds first = old.leaseBounds();
        LeaseBounds second = young.leaseBounds();
        return new LeaseBounds(
                longer(first.shortest(), second.shortest()),
                shorter(first.longest(), second.longest()),
                longer(first.afterCrash(), second.afterCrash()));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** One batch in each store; the new one is asked for those that the old one has renewed. */
    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        if (renewals.isEmpty()) {
            return List.of();
        }
        return CallDeadline.uninterruptibly(NAME, atMost, deadline -> {
            List<DualClaim> claims = renewals.stream()
                    .map(renewal -> (DualClaim) renewal.claim())
                    .toList();
            List<Answer> answers =
                    new ArrayList<>(old.renewAll(halves(renewals, claims, DualClaim::oldHalf), half(deadline)));
            List<Integer> renewed = new ArrayList<>();
            for (int i = 0; i < answers.size(); i++) {
                claims.get(i).renewedInOld(answers.get(i));
                if (answers.get(i) == Answer.YES) {
                    renewed.add(i);
                }
            }
            if (renewed.isEmpty()) {
                return answers;
            }
            List<Answer> more = renewInNew(
                    halves(
                            renewed.stream().map(renewals::get).toList(),
                            renewed.stream().map(claims::get).toList(),
                            DualClaim::newHalf),
                    Duration.ofNanos(Math.max(1, deadline.remainingNanos())),
                    renewed.size() < answers.size());
            for (int i = 0; i < more.size(); i++) {
                claims.get(renewed.get(i)).renewedInNew(more.get(i));
                answers.set(renewed.get(i), more.get(i));
            }
            return answers;
        });
    }

    /** {@code othersAnswered}: whether the silence of the store must not hide what the other one told. */
    private List<Answer> renewInNew(List<Renewal> halves, Duration atMost, boolean othersAnswered) {
        try {
            return young.renewAll(halves, atMost);
        } catch (BackendException unanswered) {
            if (!othersAnswered) {
                throw unanswered;
            }
            return Collections.nCopies(halves.size(), Answer.UNKNOWN);
        }
    }

    private static List<Renewal> halves(
            List<Renewal> renewals, List<DualClaim> claims, Function<DualClaim, Claim> half) {
        List<Renewal> halves = new ArrayList<>(renewals.size());
        for (int i = 0; i < renewals.size(); i++) {
            halves.add(new Renewal(half.apply(claims.get(i)), renewals.get(i).lease()));
        }
        return halves;
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return CallDeadline.uninterruptibly(NAME, atMost, deadline -> old.inspect(lock, half(deadline))
                .map(holder -> withItsToken(holder, deadline)));
    }

    /** One question for the page, and one for each lock of it. */
    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return CallDeadline.uninterruptibly(NAME, atMost, deadline -> {
            return old.list(prefix, after, limit, half(deadline)).stream()
                    .map(holder -> withItsToken(holder, deadline))
                    .toList();
        });
    }

    /** Half of the time that is left: a store that is silent leaves the rest to the other. */
    private static Duration half(CallDeadline deadline) {
        return Duration.ofNanos(Math.max(1, deadline.remainingNanos() / 2));
    }

    /** The token of a lease in both stores is that of its half in the new one. */
    private LockHolder withItsToken(LockHolder holder, CallDeadline deadline) {
        if (!fenced) {
            return holder;
        }
        return young.inspect(holder.lock(), DualClaim.rest(deadline))
                .map(half -> new LockHolder(
                        holder.lock(),
                        holder.label(),
                        half.fencingToken(),
                        holder.heldFor(),
                        holder.remaining(),
                        holder.waiters(),
                        holder.revocationReason()))
                .orElse(holder);
    }

    @Override
    public void close() {
        try {
            young.close();
        } finally {
            old.close();
        }
    }
}
