// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.history;

import java.util.ArrayList;
import java.util.List;

/** What one process has told, and what was done to it. Filled by {@link Journals}, then only read. */
public final class WorkerHistory {
    /** A stretch of time in which the process stood still. */
    public record Stall(long begin, long end) {}

    public final long pid;
    public final List<Attempt> attempts = new ArrayList<>();
    public final List<Stall> stalls = new ArrayList<>();
    /** What must never happen, in the process's own words. */
    public final List<String> odd = new ArrayList<>();

    public long closing;
    public long closed;
    /** The threads of the client that were left after its close; null if the process did not come so far. */
    public String left = "";

    public boolean toldLeft;
    /** When the process was seen to have ended. */
    public long ended;

    public long staleRefused;
    public long unopened;

    WorkerHistory(long pid) {
        this.pid = pid;
    }

    /** The moment from which on the process can have acted on something that was due, if it has acted by another moment. */
    public long movedBehindStalls(long due, long acted) {
        long moved = due;
        for (Stall stall : stalls) {
            if (stall.begin <= acted && stall.end >= moved) {
                moved = stall.end;
            }
        }
        return moved;
    }
}
