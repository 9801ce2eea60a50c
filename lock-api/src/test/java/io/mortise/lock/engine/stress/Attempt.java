// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

/** One call for a lock, and what became of it. Made before the round, so that noting it needs no memory. */
final class Attempt {
    /** The ways to ask for a lock. */
    enum Way {
        TRY,
        TIMED,
        ACQUIRE,
        LIMITED_ACQUIRE,
        ASYNC,
        ASYNC_TIMED,
        RUN,
        TRY_RUN,
        VIEW,
        VIEW_INTERRUPTIBLY,
        VIEW_TRY,
        VIEW_TIMED,
        ABANDON;

        /** Whether it waits until the lock is granted, and gives up only for want of answers. */
        boolean isUnlimited() {
            return this == ACQUIRE || this == ASYNC || this == RUN || this == VIEW || this == VIEW_INTERRUPTIBLY;
        }
    }

    /** How far it has come. */
    enum Phase {
        UNUSED,
        CALLING,
        INSIDE,
        LEAVING,
        ENDED
    }

    String caller = "";
    Member member;
    int name;
    Way way;
    volatile Phase phase = Phase.UNUSED;
    long begin;
    long end;
    long token;
    Grant grant;
    /** Between these two moments it was certainly held. */
    long heldFrom;

    long heldTo;
    long seenLost;
    boolean interrupted;
    boolean listening;
    volatile long toldAt;
    long releaseBegin;
    boolean saidHeld;
    boolean saidLost;
    String outcome = "";
    Throwable thrown;
    volatile String fault;

    /** Notes what is wrong, unless something else was before. */
    void fault(String what) {
        if (fault == null) {
            fault = what;
        }
    }

    boolean wasHeld() {
        return heldTo > heldFrom && heldFrom > 0;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format(
                "%9.1f %8.1f  client %d %-10s %-16s %s",
                begin / 1e6,
                (end - begin) / 1e6,
                member.number,
                caller,
                way,
                phase == Phase.ENDED ? outcome : "still " + phase));
        if (token > 0) {
            text.append(String.format(", token %d, held %.1f to %.1f", token, heldFrom / 1e6, heldTo / 1e6));
            if (grant != null) {
                text.append(String.format(
                        ", granted to client %d, asked %.1f, confirmed until %.1f",
                        grant.client, grant.asked / 1e6, grant.confirmedUntil() / 1e6));
            }
            text.append(seenLost > 0 ? String.format(", seen lost %.1f", seenLost / 1e6) : "")
                    .append(toldAt > 0 ? String.format(", told %.1f", toldAt / 1e6) : "")
                    .append(releaseBegin > 0 ? String.format(", released %.1f", releaseBegin / 1e6) : "")
                    .append(saidHeld ? ", said held" : "")
                    .append(saidLost ? ", said lost" : "");
        }
        if (thrown != null) {
            text.append(", ").append(thrown);
        }
        return text.append(fault == null ? "" : "   <== " + fault).toString();
    }
}
