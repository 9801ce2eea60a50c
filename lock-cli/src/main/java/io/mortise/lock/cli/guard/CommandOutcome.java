// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.util.Locale;

/**
 * Tells how a guarded command ended: by itself, or because its lock was lost or its time was over; with its exit status, signal or
 * errno. The command, and the processes that it had left behind, have ended. Immutable.
 */
public record CommandOutcome(Why why, Kind kind, int code, int leftBehind) {
    /** Who ended the command. */
    public enum Why {
        /** It ended by itself. */
        DONE,
        /** The guard asked it to end, because the lease was running out without a renewal. */
        RISK,
        /** The guard killed it just before the lease ended. */
        DEADLINE,
        /** The guard killed it because the lock was lost. */
        LOST,
        /** It ran longer than it may: the guard asked it to end, and killed it if it did not. */
        TIMEOUT,
        /** The guard was killed, and the command with it. */
        UNGUARDED
    }

    /** What the code is. */
    public enum Kind {
        /** The exit status of the command. */
        EXIT,
        /** The number of the signal that killed it. */
        SIGNAL,
        /** The errno of the system call that could not start it. */
        EXEC,
        /** Nothing: the command was never started. */
        NONE
    }

    static CommandOutcome parse(String[] words) {
        return new CommandOutcome(
                Why.valueOf(words[1].toUpperCase(Locale.ROOT)),
                Kind.valueOf(words[2].toUpperCase(Locale.ROOT)),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]));
    }

    static CommandOutcome unguarded() {
        return new CommandOutcome(Why.UNGUARDED, Kind.SIGNAL, 9, 0);
    }

    /** Whether the command ended by itself, and says that it has done its work. */
    public boolean succeeded() {
        return why == Why.DONE && kind == Kind.EXIT && code == 0;
    }

    /** Whether the command was told to end, or killed, for the sake of the lock. It may not have done its work then. */
    public boolean forced() {
        return why == Why.RISK || why == Why.DEADLINE || why == Why.LOST;
    }
}
