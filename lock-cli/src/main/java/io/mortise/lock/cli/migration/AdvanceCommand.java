// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.window.MigrationWindow;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mortise migrate advance}: goes on to the next window. */
@Command(
        name = "advance",
        description = "Goes on to the next window. Out of DUAL it waits until every process knows of DUAL.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the migration is in that window, now or before",
            MigrationOptions.NOT_CHANGED,
            MigrationOptions.WRONG,
            MigrationOptions.NO_ANSWER,
            MigrationOptions.OWN_ERROR,
            MigrationOptions.NOT_WRITTEN,
            MigrationOptions.READER_GONE
        })
public final class AdvanceCommand implements Callable<Integer> {
    @Mixin
    private StepOptions step = new StepOptions();

    @Override
    public Integer call() {
        MigrationWindow from = step.to().previous().orElseThrow(() -> step.options()
                .mistake("no window comes before " + step.to() + ", so none is left for it"));
        return step.step(from, Migration::advance);
    }
}
