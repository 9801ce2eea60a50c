// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.LockHolder;
import io.mortise.lock.redlock.claim.QuorumClaim;
import io.mortise.lock.redlock.claim.QuorumRenewal;
import io.mortise.lock.redlock.listing.QuorumListing;
import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps locks in a majority of independent stores, the members, such as Redis servers: whoever holds a lock at more
 * than half of them holds it. Thread-safe.
 *
 * <p>Members are asked in parallel: without threads where they are {@link io.mortise.lock.spi.AsyncLockBackend}s, as those of a URL are,
 * else on threads of this backend. A call does not wait for a member that does not answer as long
 * as the others decide.
 */
public final class RedlockBackend implements LockBackend {
    private final Quorum quorum;
    private final QuorumRenewal renewal;
    private final QuorumListing listing;
    private final LeaseBounds bounds;
    private final Set<Feature> features;

    RedlockBackend(Quorum quorum, Duration longestLease) {
        this.quorum = quorum;
        renewal = new QuorumRenewal(quorum);
        listing = new QuorumListing(quorum);
        bounds = bounds(quorum, longestLease);
        features = features(quorum);
    }

    /**
     * Begins a quorum of stores.
     *
     * @return a builder with the default settings and no members
     */
    public static RedlockBackendBuilder builder() {
        return new RedlockBackendBuilder();
    }

    private static LeaseBounds bounds(Quorum quorum, Duration longestLease) {
        Duration shortest = Duration.ofMillis(1);
        Duration longest = longestLease;
        Duration afterCrash = Duration.ZERO;
        for (Member member : quorum.members()) {
            LeaseBounds its = member.backend().leaseBounds();
            shortest = its.shortest().compareTo(shortest) > 0 ? its.shortest() : shortest;
            longest = its.longest().compareTo(longest) < 0 ? its.longest() : longest;
            afterCrash = its.afterCrash().compareTo(afterCrash) > 0 ? its.afterCrash() : afterCrash;
        }
        return new LeaseBounds(shortest, longest, afterCrash);
    }

    private static Set<Feature> features(Quorum quorum) {
        Set<Feature> features = EnumSet.of(Feature.LISTABLE, Feature.REVOCABLE);
        quorum.members().forEach(member -> features.retainAll(member.backend().features()));
        if (!features.contains(Feature.LISTABLE)) {
            features.remove(Feature.REVOCABLE);
        }
        if (quorum.settings().fenced()) {
            features.add(Feature.FENCED);
        }
        return Set.copyOf(features);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new QuorumClaim(quorum, renewal, request);
    }

    /**
     * Contains {@link Feature#FENCED} unless tokens are switched off, {@link Feature#LISTABLE} and {@link Feature#REVOCABLE} if
     * all members have them, and no feature that needs a queue.
     */
    @Override
    public Set<Feature> features() {
        return features;
    }

    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.QUORUM;
    }

    /** {@link FencingStrength#WHILE_DATA_LIVES}, even if the members declare more; none without {@link Feature#FENCED}. */
    @Override
    public FencingStrength fencingStrength() {
        return quorum.settings().fenced() ? FencingStrength.WHILE_DATA_LIVES : FencingStrength.NONE;
    }

    /**
     * The leases that all members allow, up to the longest of the quorum. Locks outlive their holders only if they do at all
     * members.
     */
    @Override
    public LeaseBounds leaseBounds() {
        return bounds;
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        quorum.ensureOpen();
        List<QuorumRenewal.HeldLease> held = renewals.stream()
                .map(each -> ((QuorumClaim) each.claim()).held(each.lease()))
                .toList();
        List<QuorumRenewal.Outcome> outcomes = renewal.renew(held, atMost);
        if (!outcomes.isEmpty() && outcomes.stream().allMatch(QuorumRenewal.Outcome::isRefusedForGood)) {
            throw outcomes.get(0).votes().undecided("a renewal");
        }
        return outcomes.stream().map(QuorumRenewal.Outcome::answer).toList();
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        require(Feature.LISTABLE, "tell who holds a lock");
        return listing.inspect(lock, atMost);
    }

    /** A page has the order of {@link String#compareTo}, in which all members must list. */
    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        require(Feature.LISTABLE, "tell who holds a lock");
        return listing.list(prefix, after, limit, atMost);
    }

    /**
     * Revokes the lock at all members. The holder is revoked once a majority of the members refuses it; if fewer are known to,
     * the outcome is not known.
     */
    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        require(Feature.REVOCABLE, "revoke locks");
        return listing.revoke(lock, reason, now, atMost);
    }

    private void require(Feature feature, String what) {
        if (!features.contains(feature)) {
            throw new UnsupportedOperationException("not all members of this quorum can " + what);
        }
    }

    /** Waits for releases that are still under way, for at most one member's time, and closes the members. */
    @Override
    public void close() {
        quorum.close();
    }
}
