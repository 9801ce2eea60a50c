// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

/**
 * One recorded event of a scene: a request with its answer, or a fault. Times are nanoseconds since the scene began.
 *
 * @param who the client
 * @param claim the number of the claim, 0 if it is about no claim
 * @param lock the name of the lock, empty if it is about all
 * @param kind what was asked
 * @param begin before it was asked
 * @param end after the answer
 * @param lease the lease that was asked for, or 0
 * @param asked what else was asked, such as a token to be raised to, or its place in a batch; empty if nothing else
 * @param answer what came back
 * @param until for how long a grant or renewal is good, counted from {@code begin}, less what was spent; for one without an
 *     answer, how long it may have made the lease; else 0
 * @param token the first token of a grant, or 0
 * @param tokens how many tokens the grant has
 */
record Operation(
        String who,
        int claim,
        String lock,
        Kind kind,
        long begin,
        long end,
        long lease,
        String asked,
        String answer,
        long until,
        long token,
        int tokens) {
    static final String YES = "yes";
    static final String NO = "no";

    /** What a try asks for besides, if it is to wait for the lock when it is refused. */
    static final String WAITS = "waits";

    enum Kind {
        TRY,
        RENEW,
        RELEASE,
        RAISE,
        INSPECT,
        LIST,
        REVOKE,
        /** Of an entry of the register. */
        READ,
        /** Of an entry of the register. */
        WRITE,
        /** A stretch of work under a lease that said before and after that it was held. */
        INSIDE,
        /** The suite interfered: what is held of this lock no longer counts as promised. */
        FAULT,
        /** The suite interfered with all locks: nothing that is held counts as promised any more. */
        FAULT_OF_ALL,
        /** The client was closed. */
        CLOSE,
        NOTE
    }

    /** Something about no claim. */
    static Operation about(String who, Kind kind, String lock, long begin, long end, String asked, String answer) {
        return new Operation(who, 0, lock, kind, begin, end, 0, asked, answer, 0, 0, 0);
    }

    /** The same with an answer that came later. */
    Operation answered(long atEnd, String withAnswer) {
        return new Operation(who, claim, lock, kind, begin, atEnd, lease, asked, withAnswer, until, token, tokens);
    }

    /** The client, and the number of its claim if it is about one that has a number. */
    String claimant() {
        return claim <= 0 ? who : who + "#" + claim;
    }

    /** Whether a claim may rely on the lock by it: it was not answered no. */
    boolean mayHold() {
        return mayHold(kind, answer);
    }

    static boolean mayHold(Kind kind, String answer) {
        return (kind == Kind.TRY || kind == Kind.RENEW) && !answer.equals(NO);
    }

    boolean isFault() {
        return kind == Kind.FAULT || kind == Kind.FAULT_OF_ALL;
    }

    /** Whether it is a fault of a lock, or of all. */
    boolean isFaultOf(String name) {
        return kind == Kind.FAULT_OF_ALL || kind == Kind.FAULT && lock.equals(name);
    }

    /** Whether another is about the same, whatever came back. */
    boolean isSameQuestion(Operation other) {
        return who.equals(other.who) && claim == other.claim && kind == other.kind && lock.equals(other.lock);
    }

    boolean is(Kind wanted, String wantedAnswer) {
        return kind == wanted && answer.equals(wantedAnswer);
    }
}
