// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.listing;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.member.MemberClaim.Label;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import java.time.Duration;
import java.util.Optional;

/**
 * Revokes a lock: revokes the claims of the holder's round, member by member. When a majority of the members refuses
 * the holder, no renewal gets a majority any more, and no lost claim is made anew. Thread-safe.
 */
public final class Revocation {
    private final Quorum quorum;
    private final QuorumListing listing;

    /** Revokes at the members of {@code quorum}. */
    public Revocation(Quorum quorum, QuorumListing listing) {
        this.quorum = quorum;
        this.listing = listing;
    }

    /**
     * Revokes a lock.
     *
     * @param now whether the lock is free at once, or when the holder's lease ends
     * @return false if nobody held it
     */
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        Optional<String> holder = listing.round(lock, atMost.dividedBy(2));
        if (holder.isEmpty()) {
            return false;
        }
        Votes votes = quorum.newVotes();
        Duration time = quorum.settings().memberTime(atMost, 2);
        for (int i = 0; i < quorum.size(); i++) {
            Member member = quorum.members().get(i);
            votes.count(i, member.ask(time, left -> revoke(member, lock, holder.get(), reason, now, left)));
        }
        votes.awaitUninterruptibly(votes::isComplete, end);
        if (votes.outcome() == Answer.UNKNOWN) {
            throw votes.undecided("revoking lock '" + lock + "'");
        }
        return votes.outcome() == Answer.YES;
    }

    /** Revokes the claim of one round only: whoever else tries to get the lock meanwhile is left alone. */
    private static boolean revoke(
            Member member, String lock, String round, String reason, boolean now, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        boolean holds = member.backend()
                .inspect(lock, atMost)
                .filter(holder -> Label.of(holder.label()).round().equals(round))
                .isPresent();
        Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
        return holds && member.backend().revoke(lock, reason, now, left);
    }
}
