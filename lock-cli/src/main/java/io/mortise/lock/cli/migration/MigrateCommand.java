// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mortise migrate}: moves a fleet from one store to another while it runs. */
@Command(
        name = "migrate",
        description = {
            "Moves a fleet from one lock store to another while it runs.",
            "The store is written 'migrate:NAME from URL to URL', as the processes of the fleet have it."
        },
        subcommands = {
            PlanCommand.class,
            StartCommand.class,
            StatusCommand.class,
            AdvanceCommand.class,
            BackCommand.class,
            FinishCommand.class,
            AbortCommand.class
        })
public final class MigrateCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: plan, start, status, advance, back, finish or abort");
    }
}
