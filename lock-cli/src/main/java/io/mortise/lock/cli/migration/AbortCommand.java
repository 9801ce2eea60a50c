// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mortise migrate abort}: gives a migration up. */
@Command(
        name = "abort",
        description =
                "Gives a migration up in the window OLD. From then on, any client may lock in the old store. start begins again.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:it is given up, now or before",
            MigrationOptions.NOT_CHANGED,
            MigrationOptions.WRONG,
            MigrationOptions.NO_ANSWER,
            MigrationOptions.OWN_ERROR,
            MigrationOptions.NOT_WRITTEN,
            MigrationOptions.READER_GONE
        })
public final class AbortCommand implements Callable<Integer> {
    @Mixin
    private MigrationOptions options = new MigrationOptions();

    @Mixin
    private TokenOptions tokens = new TokenOptions();

    @Override
    public Integer call() {
        return options.change((migration, status) -> {
            tokens.apply(migration);
            migration.abort();
            return !status.isFinished();
        });
    }
}
