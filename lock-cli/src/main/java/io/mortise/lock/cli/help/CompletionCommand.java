// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.help;

import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code mortise completion}: prints a script that completes command lines of mortise in bash and zsh. */
@Command(
        name = "completion",
        description = "Prints a script that completes sub-commands and options of mortise in bash and zsh.",
        footer = {
            "",
            "In bash: source <(mortise completion)",
            "In zsh: autoload -U compinit bashcompinit; compinit; bashcompinit; source <(mortise completion)"
        })
public final class CompletionCommand extends SelfDescription {
    /** Completes the command that {@code mortise} makes, with all its sub-commands. */
    public CompletionCommand(Supplier<CommandLine> mortise) {
        super(mortise, all -> AutoComplete.bash("mortise", all));
    }
}
