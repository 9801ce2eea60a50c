// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.help;

import io.mortise.lock.cli.console.ExitCode;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A sub-command that prints a text about mortise with all its sub-commands. */
@Command(
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done",
            "64:the command line is wrong",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "141:the reader of standard output has gone"
        })
class SelfDescription implements Callable<Integer> {
    private final Supplier<CommandLine> mortise;
    private final Function<CommandLine, String> description;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    SelfDescription(Supplier<CommandLine> mortise, Function<CommandLine, String> description) {
        this.mortise = mortise;
        this.description = description;
    }

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(description.apply(mortise.get()));
        return ExitCode.OK;
    }
}
