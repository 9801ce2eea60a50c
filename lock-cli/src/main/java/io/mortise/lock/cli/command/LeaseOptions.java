// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.LockOptions;
import io.mortise.lock.cli.console.TimeConverter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code run} about how long the store keeps the lock. */
final class LeaseOptions {
    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = TimeConverter.Positive.class,
            description = "How long the lock lasts without renewal: 30s by default. If this host dies, the lock is free"
                    + " after this time.")
    private @Nullable Duration lease;

    @Option(
            names = "--at-least",
            paramLabel = "TIME",
            converter = TimeConverter.Positive.class,
            description = "Keep the lock from others for this long, counted from when it was acquired, also if the"
                    + " command ends sooner. For a short job that several hosts start at about the same moment.")
    private @Nullable Duration atLeast;

    @Option(
            names = "--lock-delay",
            paramLabel = "TIME",
            description =
                    "Keep the lock from others for this long after it was lost or this host died, so that what the"
                            + " command has sent before can arrive.")
    private @Nullable Duration lockDelay;

    /** The options of a lock: these, and otherwise those of the store's URL. */
    LockOptions over(LockOptions ofTheStore) {
        LockOptions options = lease == null ? ofTheStore : ofTheStore.withLease(lease);
        options = atLeast == null ? options : options.withMinHold(atLeast);
        return lockDelay == null ? options : options.withLockDelay(lockDelay);
    }
}
