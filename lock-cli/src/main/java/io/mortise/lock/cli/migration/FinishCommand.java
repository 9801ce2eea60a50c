// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mortise migrate finish}: ends a migration for good. */
@Command(
        name = "finish",
        description =
                "Finishes a migration in the window NEW. From then on, any client may lock in the new store, and there is no way back.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:it is finished, now or before",
            MigrationOptions.NOT_CHANGED,
            MigrationOptions.WRONG,
            MigrationOptions.NO_ANSWER,
            MigrationOptions.OWN_ERROR,
            MigrationOptions.NOT_WRITTEN,
            MigrationOptions.READER_GONE
        })
public final class FinishCommand implements Callable<Integer> {
    @Mixin
    private MigrationOptions options = new MigrationOptions();

    @Mixin
    private TokenOptions tokens = new TokenOptions();

    @Option(
            names = "--confirm",
            required = true,
            paramLabel = "NAME",
            description = "The name of the migration, as there is no way back.")
    private String name = "";

    @Override
    public Integer call() {
        return options.change((migration, status) -> {
            if (!migration.name().equals(name)) {
                throw options.mistake("the migration is named '" + migration.name() + "', not '" + name + "'");
            }
            tokens.apply(migration);
            migration.finish();
            return !status.isFinished();
        });
    }
}
