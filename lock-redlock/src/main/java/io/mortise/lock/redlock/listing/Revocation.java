// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.listing;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.member.MemberLabel;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.RedlockFailures;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import java.time.Duration;
import java.util.Optional;

/**
 * Takes a lock from its holder: the seats of its round, one by one. When a majority of the members refuses the holder, no
 * renewal of its is carried any more, and none of its seats is healed. Thread-safe.
 */
public final class Revocation {
    private final Quorum quorum;
    private final QuorumListing directory;

    public Revocation(Quorum quorum, QuorumListing directory) {
        this.quorum = quorum;
        this.directory = directory;
    }

    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        Optional<String> victim = directory.round(lock, atMost.dividedBy(2));
        if (victim.isEmpty()) {
            return false;
        }
        Votes votes = new Votes(quorum.size());
        Duration time = quorum.settings().forMember(atMost, 2);
        for (int i = 0; i < quorum.size(); i++) {
            Member member = quorum.members().get(i);
            votes.count(i, member.ask(time, left -> revoke(member, lock, victim.get(), reason, now, left)));
        }
        votes.awaitCalmly(votes::isComplete, end);
        if (votes.outcome() == Answer.UNKNOWN) {
            throw RedlockFailures.undecided("revoking lock '" + lock + "'", votes, quorum.members(), null);
        }
        return votes.outcome() == Answer.YES;
    }

    /** Not another round's seat: what others try meanwhile is none of the victim's. */
    private static boolean revoke(
            Member member, String lock, String victim, String reason, boolean now, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        boolean its = member.backend()
                .inspect(lock, atMost)
                .filter(holder -> MemberLabel.of(holder.label()).round().equals(victim))
                .isPresent();
        Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
        return its && member.backend().revoke(lock, reason, now, left);
    }
}
