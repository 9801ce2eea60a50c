// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.quorum;

import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The members of a quorum and the settings by which they vote. Thread-safe. */
public final class Quorum {
    /**
     * How far ahead of their clocks members are asked for tokens: those that are asked within this time all give the same
     * token, and none has to be raised to another's.
     */
    public static final Duration TOKEN_LEAD = Duration.ofMillis(20);

    /** How long a client that is opened waits for members that do not answer. */
    private static final Duration MEETING_AT_MOST = Duration.ofSeconds(1);

    /** What messages call the store. */
    public static final String NAME = "the quorum";

    private final List<Member> members;
    private final QuorumSettings settings;
    private final VoteEligibility eligibility;
    private volatile boolean closed;

    public Quorum(List<Member> members, QuorumSettings settings) {
        this.members = List.copyOf(members);
        this.settings = settings;
        eligibility = new VoteEligibility(this.members, settings);
    }

    /** The members, in the order in which all lists and arrays have them. */
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

    public Votes newVotes() {
        return new Votes(members);
    }

    /**
     * Whether every member has answered or failed at least once. Before, two addresses of one server may not have been
     * noticed yet.
     */
    public boolean haveAllAnsweredOrFailed() {
        return members.stream().allMatch(Member::hasAnsweredOrFailed);
    }

    /** A token that no member's clock has reached yet; 0 if no member tells its clock. */
    public long tokenFloor() {
        long latest = settings.fenced() ? eligibility.latestClockMicros() : 0;
        return latest == 0 ? 0 : latest + TimeUnit.NANOSECONDS.toMicros(TOKEN_LEAD.toNanos());
    }

    /** Throws {@link BackendException} if this client is closed. */
    public void ensureOpen() {
        if (closed) {
            throw BackendException.closed(NAME);
        }
    }

    /** Throws {@link BackendException}, a refusal, if two members are found to be one server. */
    public void ensureDistinctMembers() {
        eligibility.duplicate().ifPresent(why -> {
            throw BackendException.refused(why, null);
        });
    }

    /**
     * Asks all members which incarnation they are, and waits a short time for those that answer. Throws
     * {@link BackendException}, a refusal, if two of them are one server.
     */
    public void meetMembers() {
        Duration time =
                MEETING_AT_MOST.compareTo(settings.memberTimeout()) < 0 ? MEETING_AT_MOST : settings.memberTimeout();
        CompletableFuture<?>[] met =
                members.stream().map(member -> member.meet(time)).toArray(CompletableFuture[]::new);
        boolean unused =
                CallDeadline.uninterruptibly(NAME, time, deadline -> deadline.awaitEnd(CompletableFuture.allOf(met)));
        ensureDistinctMembers();
    }

    /**
     * Waits for questions that are still under way, for at most one member's time, then closes all members. An interrupt ends
     * the wait; the flag stays set.
     */
    public void close() {
        closed = true;
        long deadline = System.nanoTime() + settings.memberTimeout().toNanos();
        boolean interrupted = false;
        try {
            for (Member member : members) {
                member.awaitIdle(deadline);
            }
        } catch (InterruptedException noTime) {
            interrupted = true;
        }
        RuntimeException failed = null;
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
