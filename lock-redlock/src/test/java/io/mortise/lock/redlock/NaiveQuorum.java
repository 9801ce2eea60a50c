// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A correct quorum as one writes it in an afternoon: it asks one member after the other until enough have granted, and has no
 * tokens. The wrong quorums override one of its decisions each.
 */
class NaiveQuorum implements LockBackend {
    private final List<LockBackend> members;

    NaiveQuorum(List<LockBackend> members) {
        this.members = List.copyOf(members);
    }

    final int size() {
        return members.size();
    }

    /** How many members must grant. */
    int enough() {
        return size() / 2 + 1;
    }

    /** How many members must still know the holder for a renewal. */
    int enoughToRenew() {
        return enough();
    }

    /** How long a renewal is to last at the members. */
    Duration renewedLength(ClaimRequest request, Duration lease) {
        return lease;
    }

    /** Whether a lease that was first asked for at {@code asked} has time left, minus one percent for clock drift. */
    boolean isInTime(long asked, Duration lease) {
        return System.nanoTime() - asked < lease.toNanos() / 100 * 99;
    }

    /** A round's claim at a member, with its own owner, so that messages of one round cannot change another. */
    Claim memberClaim(int member, ClaimRequest request) {
        return members.get(member)
                .claim(
                        new ClaimRequest(request.lock(), Stores.owner(), request.label(), request.lease(), false, 0, 1),
                        () -> {});
    }

    /** Whether a failed round releases its claim at a member that answered so. A member that did not answer may have granted. */
    boolean isReleased(Answer answer) {
        return answer != Answer.NO;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new NaiveClaim(this, request);
    }

    @Override
    public final Set<Feature> features() {
        return Set.of();
    }

    @Override
    public final SafetyLevel safetyLevel() {
        return SafetyLevel.QUORUM;
    }

    @Override
    public final LeaseBounds leaseBounds() {
        return members.get(0).leaseBounds();
    }

    @Override
    public final void close() {
        members.forEach(LockBackend::close);
    }
}
