// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.LockClient;
import io.mortise.lock.cli.console.TimeConverter;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of {@code run} that skips the command. */
final class SkipOptions {
    @Option(
            names = "--unless-run-since",
            paramLabel = "TIME",
            converter = TimeConverter.Positive.class,
            description = "Do not run the command if one with this name of a lock and this option has succeeded within"
                    + " this time, on any host. The exit status is 0 then.")
    private @Nullable Duration unlessRunSince;

    /** Where the successes of a job are recorded, if the option is given. */
    Optional<LastSuccess> of(LockClient client, String name) {
        return Optional.ofNullable(unlessRunSince).map(kept -> LastSuccess.of(client, name, kept));
    }
}
