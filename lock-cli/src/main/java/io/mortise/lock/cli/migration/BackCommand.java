// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.window.MigrationWindow;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mortise migrate back}: goes back to the window before. */
@Command(
        name = "back",
        description = "Goes back to the window before. Out of DUAL it waits until every process knows of DUAL.",
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
public final class BackCommand implements Callable<Integer> {
    @Mixin
    private StepOptions step = new StepOptions();

    @Override
    public Integer call() {
        MigrationWindow from = step.to().next().orElseThrow(() -> step.options()
                .mistake("no window comes after " + step.to() + ", so none is left for it"));
        return step.step(from, Migration::back);
    }
}
