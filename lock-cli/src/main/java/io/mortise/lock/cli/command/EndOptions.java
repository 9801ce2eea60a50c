// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.LockOptions;
import io.mortise.lock.cli.console.TimeConverter;
import io.mortise.lock.cli.guard.GuardTimes;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code run} that end the command. */
final class EndOptions {
    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = TimeConverter.Positive.class,
            description = "Send the command TERM when it has run for this long, and KILL 10 seconds later. The exit"
                    + " status is 124 then, as with timeout(1).")
    private @Nullable Duration timeout;

    @Option(
            names = "--max-hold",
            paramLabel = "TIME",
            converter = TimeConverter.Positive.class,
            description =
                    "Hold the lock no longer than this. The command gets TERM when a third of the lease is left of"
                            + " this time, or an eighth of the time if that is shorter, and KILL before its end.")
    private @Nullable Duration maxHold;

    /** The options of a lock: these, and otherwise those that are given. */
    LockOptions over(LockOptions options) {
        return maxHold == null ? options : options.withMaxHold(maxHold);
    }

    GuardTimes times(LockOptions options, Duration remaining) {
        return GuardTimes.of(counted(options.lease(), remaining), options.maxHold(), Optional.ofNullable(timeout));
    }

    /** Less than the lease where the store counts on it for less at a time, as while a fleet moves. Just after the grant the rest tells. */
    private static Duration counted(Duration lease, Duration remaining) {
        return remaining.compareTo(lease.minus(lease.dividedBy(10))) < 0 ? remaining : lease;
    }
}
