// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.List;

/** The members, and on what settings they vote. Thread-safe. */
public final class Quorum {
    /**
     * How far the tokens that members are asked for lie ahead of their clocks: requests that arrive within this time get
     * one and the same token everywhere, and no member has to be told of another's.
     */
    public static final Duration LEAD = Duration.ofMillis(20);

    private final List<Member> members;
    private final QuorumSettings settings;
    private final VoteEligibility eligibility;
    private volatile boolean closed;

    public Quorum(List<Member> members, QuorumSettings settings) {
        this.members = List.copyOf(members);
        this.settings = settings;
        eligibility = new VoteEligibility(this.members, settings);
    }

    public List<Member> members() {
        return members;
    }

    public int size() {
        return members.size();
    }

    public int majority() {
        return Votes.majority(members.size());
    }

    public QuorumSettings settings() {
        return settings;
    }

    public VoteEligibility eligibility() {
        return eligibility;
    }

    /** Whether all members have answered once, or cannot be waited for: then one under two names would be known. */
    public boolean isMet() {
        return members.stream().allMatch(Member::isMet);
    }

    /** A token that no member has reached by its clock; 0 if their clocks are not known. */
    public long floor() {
        long latest = settings.fenced() ? eligibility.latestMicros() : 0;
        return latest == 0 ? 0 : latest + LEAD.toNanos() / 1_000;
    }

    /**
     * What is asked of a client that was closed is not known.
     *
     * @throws BackendException if it was
     */
    public void ensureOpen() {
        if (closed) {
            throw new BackendException("this client of the quorum is closed", null);
        }
    }

    /** Lets what was asked for be answered, for a member's time, then closes all members. An interrupt is left for later. */
    public void close() {
        closed = true;
        long deadline = System.nanoTime() + settings.memberTimeout().toNanos();
        boolean interrupted = false;
        RuntimeException failed = null;
        for (Member member : members) {
            try {
                member.awaitIdle(interrupted ? System.nanoTime() : deadline);
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        for (Member member : members) {
            try {
                member.close();
            } catch (RuntimeException failure) {
                failed = failed == null ? failure : failed;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failed != null) {
            throw failed;
        }
    }
}
