// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.List;

/** The members, and on what terms they vote. Thread-safe. */
final class Quorum {
    /**
     * How far the tokens that members are asked for lie ahead of their clocks: requests that arrive within this time get
     * one and the same token everywhere, and no member has to be told of another's.
     */
    static final Duration LEAD = Duration.ofMillis(20);

    private final List<Member> members;
    private final Terms terms;
    private final Electorate electorate;
    private volatile boolean closed;

    Quorum(List<Member> members, Terms terms) {
        this.members = List.copyOf(members);
        this.terms = terms;
        electorate = new Electorate(this.members, terms);
    }

    List<Member> members() {
        return members;
    }

    int size() {
        return members.size();
    }

    int majority() {
        return Votes.majority(members.size());
    }

    Terms terms() {
        return terms;
    }

    Electorate electorate() {
        return electorate;
    }

    /** Whether all members have answered once, or cannot be waited for: then one under two names would be known. */
    boolean isMet() {
        return members.stream().allMatch(Member::isMet);
    }

    /** A token that no member has reached by its clock; 0 if their clocks are not known. */
    long floor() {
        long latest = terms.fenced() ? electorate.latestMicros() : 0;
        return latest == 0 ? 0 : latest + LEAD.toNanos() / 1_000;
    }

    /**
     * What is asked of a client that was closed is not known.
     *
     * @throws BackendException if it was
     */
    void ensureOpen() {
        if (closed) {
            throw new BackendException("this client of the quorum is closed", null);
        }
    }

    /** Lets what was asked for be answered, for a member's time, then closes all members. An interrupt is left for later. */
    void close() {
        closed = true;
        long deadline = System.nanoTime() + terms.memberTimeout().toNanos();
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
