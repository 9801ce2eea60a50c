// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.help;

import io.mortise.lock.cli.console.ExitCode;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mortise completion}: prints a script that completes command lines of mortise in bash and zsh. */
@Command(
        name = "completion",
        description = "Prints a script that completes sub-commands and options of mortise in bash and zsh.",
        footer = {
            "",
            "In bash: source <(mortise completion)",
            "In zsh: autoload -U compinit bashcompinit; compinit; bashcompinit; source <(mortise completion)"
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done",
            "64:the command line is wrong",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "141:the reader of standard output has gone"
        })
public final class CompletionCommand implements Callable<Integer> {
    private final Supplier<CommandLine> mortise;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Completes the command that {@code mortise} makes, with all its sub-commands. */
    public CompletionCommand(Supplier<CommandLine> mortise) {
        this.mortise = mortise;
    }

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash("mortise", mortise.get()));
        return ExitCode.OK;
    }
}
