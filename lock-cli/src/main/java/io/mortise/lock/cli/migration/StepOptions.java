// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.window.MigrationWindow;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that the two commands share that make a step, and what they do with them. */
final class StepOptions {
    @Mixin
    private MigrationOptions options = new MigrationOptions();

    @Option(
            names = "--to",
            required = true,
            paramLabel = "WINDOW",
            description =
                    "The next window in this direction: ${COMPLETION-CANDIDATES}. If it is there already, nothing is done.")
    private MigrationWindow to = MigrationWindow.OLD;

    @Option(
            names = "--plain-clients-ended",
            description =
                    "Out of DUAL: no client that knows nothing of the migration runs any more, or will start, in the store that is"
                            + " left. A process that is frozen or cut off has not ended.")
    private boolean ended;

    @Mixin
    private TokenOptions tokens = new TokenOptions();

    /** One step, from a window to the next one in some direction. */
    @FunctionalInterface
    interface Step {
        MigrationWindow make(Migration migration, MigrationWindow from, Migration.Progress progress);
    }

    MigrationOptions options() {
        return options;
    }

    MigrationWindow to() {
        return to;
    }

    /** Makes the step, if the migration is not there already, and tells how far it is then. */
    int step(MigrationWindow from, Step step) {
        return options.change((migration, status) -> {
            if (status.window() == to) {
                return false;
            }
            ensureSaid(from, status.window());
            tokens.apply(migration);
            MigrationWindow unused = step.make(migration, from, MigrationOptions.progress());
            return true;
        });
    }

    private void ensureSaid(MigrationWindow from, MigrationWindow now) {
        if (from != MigrationWindow.DUAL && ended) {
            throw options.mistake("--plain-clients-ended counts only in the window DUAL: one may start until then");
        }
        if (from == MigrationWindow.DUAL && now == from && !ended) {
            String store = to.compareTo(from) > 0 ? "old" : "new";
            throw options.mistake("the step to " + to + " leaves the " + store + " store, so no client may lock there"
                    + " that knows nothing of the migration: end them all, then say --plain-clients-ended");
        }
    }
}
