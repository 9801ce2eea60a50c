// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

/**
 * Defines the exit codes of the command: those of {@code sysexits.h}, of the shell and of timeout(1) where they have one.
 * {@code docs/command.md} has the table for users.
 */
public final class ExitCode {
    /** All is well. */
    public static final int OK = 0;
    /** The answer is no: nobody holds the lock, or the demonstration did not show what it should. */
    public static final int NO = 1;
    /** The command line, or the store's URL, is wrong, or the store refuses for good. */
    public static final int USAGE = 64;
    /** The store did not answer. */
    public static final int UNAVAILABLE = 69;
    /** An error in mortise itself. */
    public static final int SOFTWARE = 70;
    /** The answer could not be written to standard output. */
    public static final int NOT_WRITTEN = 74;
    /** Others hold the lock, at once or after waiting. */
    public static final int BUSY = 75;
    /** The lock was lost while the command ran, or was about to be, or its max-hold was over. */
    public static final int LOST = 76;
    /** The store, or this machine, cannot do what was asked. */
    public static final int UNABLE = 78;
    /** The command ran longer than its time-out. */
    public static final int TIMED_OUT = 124;
    /** The command is there but cannot be executed. */
    public static final int NOT_EXECUTABLE = 126;
    /** The command is not there. */
    public static final int NOT_FOUND = 127;
    /** A signal ended it: this plus the number of the signal. */
    public static final int SIGNAL = 128;
    /** The reader of standard output has gone: as if SIGPIPE had ended mortise. */
    public static final int READER_GONE = SIGNAL + 13;

    private ExitCode() {}
}
