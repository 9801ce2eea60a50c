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
 * A quorum as one writes it in an afternoon: members are asked one after the other, until there are enough, and there are no tokens.
 * Right, and what the wrong ones differ from: each of its decisions is a method that they can override.
 */
class NaiveQuorum implements LockBackend {
    private final List<LockBackend> members;

    NaiveQuorum(List<LockBackend> members) {
        this.members = List.copyOf(members);
    }

    final int size() {
        return members.size();
    }

    /** How many members have to grant. */
    int enough() {
        return size() / 2 + 1;
    }

    /** How many members have to know the holder still. */
    int enoughToRenew() {
        return enough();
    }

    /** Whether anything is left of a lease that was first asked for at {@code asked}, when clocks drift by a hundredth. */
    boolean isInTime(long asked, Duration lease) {
        return System.nanoTime() - asked < lease.toNanos() / 100 * 99;
    }

    /** What a round asks of a member: with an owner of its own, so that nothing of one round touches another. */
    Claim seat(int member, ClaimRequest request) {
        return members.get(member)
                .claim(
                        new ClaimRequest(request.lock(), Stores.owner(), request.label(), request.lease(), false, 0, 1),
                        () -> {});
    }

    /** Whether a failed round releases a member that answered so. Silence may have been a grant. */
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
