// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.help;

import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code mortise manual}: prints the manual page. */
@Command(
        name = "manual",
        description = "Prints the manual page of mortise, for man(1).",
        footer = {"", "To read it: mortise manual | man -l -"})
public final class ManualCommand extends SelfDescription {
    /** Describes the command that {@code mortise} makes, with all its sub-commands. */
    public ManualCommand(Supplier<CommandLine> mortise) {
        super(mortise, all -> new ManualPage(all).text());
    }
}
