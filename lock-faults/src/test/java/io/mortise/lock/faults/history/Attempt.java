// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.history;

import org.jspecify.annotations.Nullable;

/**
 * One attempt to get a lock, as its process has told it. Moments are {@link System#nanoTime}, which all processes of a Linux host
 * share; 0 if it was not told. Filled by {@link Journals}, then only read.
 */
public final class Attempt {
    /** The words in which a call ends. */
    public enum Word {
        GRANTED,
        BUSY,
        REFUSED,
        SILENT,
        CLOSED,
        /** The process has not told it. */
        UNTOLD
    }

    public final WorkerHistory worker;
    public final String id;
    public final String name;
    public final long lease;
    public final long wait;
    public final long asked;
    public Word word = Word.UNTOLD;
    public String detail = "";
    public long answered;
    /** The last end of the lease that its holder has seen. */
    public long until;

    public long token;
    public long lost;
    public String cause = "";
    public long releasing;
    public long released;
    public @Nullable String release;

    Attempt(WorkerHistory worker, String id, String name, long lease, long wait, long asked) {
        this.worker = worker;
        this.id = id;
        this.name = name;
        this.lease = lease;
        this.wait = wait;
        this.asked = asked;
    }

    public boolean isGranted() {
        return word == Word.GRANTED;
    }

    /** Until when its holder could rely on it: never past the end of the lease, the loss, the release, or the close. */
    public long reliedOnUntil() {
        long end = until;
        for (long earlier : new long[] {lost, releasing, worker.closing}) {
            if (earlier != 0 && earlier >= answered) {
                end = Math.min(end, earlier);
            }
        }
        return Math.max(answered, end);
    }

    /** When its call ended, or its process did. */
    public long ended() {
        return answered == 0 ? worker.ended : answered;
    }

    @Override
    public String toString() {
        return id;
    }
}
