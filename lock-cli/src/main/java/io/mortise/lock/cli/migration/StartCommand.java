// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.cli.console.TimeConverter;
import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.MigrationStatus;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mortise migrate start}: makes the record of a migration, and opens its first window. */
@Command(
        name = "start",
        description = {
            "Starts a migration, and goes on to the window OLD_AND_DUAL. Clients of the old store go on meanwhile.",
            "Nobody may lock in the new store. Does nothing if the migration was started before."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:started, now or before",
            "1:refused, and nothing was changed",
            MigrationOptions.WRONG,
            MigrationOptions.NO_ANSWER,
            MigrationOptions.OWN_ERROR,
            MigrationOptions.NOT_WRITTEN,
            MigrationOptions.READER_GONE
        })
public final class StartCommand implements Callable<Integer> {
    @Mixin
    private MigrationOptions options = new MigrationOptions();

    @Option(
            names = "--bound",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = TimeConverter.Positive.class,
            description =
                    "For how long a process goes on without an answer of the register, ${DEFAULT-VALUE} unless set."
                            + " start and the step out of DUAL wait for as long.")
    private Duration bound = Duration.ZERO;

    @Override
    public Integer call() {
        return options.answer(migration -> {
            Optional<MigrationStatus> before = migration.status();
            boolean starts = before.isEmpty() || isCutOffOrGivenUp(before.get());
            if (starts) {
                start(migration);
            }
            return MigrationOptions.stands(migration).changed(starts);
        });
    }

    private void start(Migration migration) {
        try {
            migration.start(bound, MigrationOptions.progress());
        } catch (IllegalArgumentException outside) {
            throw options.mistake("--bound: " + outside.getMessage());
        }
    }

    /** A start that was killed has left the record in the window DUAL, on the way to OLD. */
    private static boolean isCutOffOrGivenUp(MigrationStatus status) {
        return status.window() == MigrationWindow.DUAL && status.direction() == LeaseMode.OLD
                || status.window() == MigrationWindow.OLD && status.isFinished();
    }
}
