// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.cli.migration.MigrationOptions.Reply;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mortise migrate status}: tells how far a migration is. */
@Command(
        name = "status",
        description =
                "Tells how far a migration is, what comes next, and which processes have told lately that they follow it.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:it was started",
            "1:it was not",
            MigrationOptions.WRONG,
            MigrationOptions.NO_ANSWER,
            MigrationOptions.OWN_ERROR,
            MigrationOptions.NOT_WRITTEN,
            MigrationOptions.READER_GONE
        })
public final class StatusCommand implements Callable<Integer> {
    @Mixin
    private MigrationOptions options = new MigrationOptions();

    @Override
    public Integer call() {
        return options.answer(migration -> {
            Reply reply = MigrationOptions.stands(migration);
            return reply.yes() ? MigrationText.with(migration.processes(), reply) : reply;
        });
    }
}
