// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.help;

import io.mortise.lock.cli.console.ExitCode;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mortise manual}: prints the manual page. */
@Command(
        name = "manual",
        description = "Prints the manual page of mortise, for man(1).",
        footer = {"", "To read it: mortise manual | man -l -"},
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done",
            "64:the command line is wrong",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "141:the reader of standard output has gone"
        })
public final class ManualCommand implements Callable<Integer> {
    private final Supplier<CommandLine> mortise;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Describes the command that {@code mortise} makes, with all its sub-commands. */
    public ManualCommand(Supplier<CommandLine> mortise) {
        this.mortise = mortise;
    }

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(new ManualPage(mortise.get()).text());
        return ExitCode.OK;
    }
}
