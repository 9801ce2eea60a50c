// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.cli.console.Console;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code run} about what it says. Errors are always said. */
final class Verbosity {
    @Option(names = "--quiet", description = "Say nothing but errors: not that others hold the lock, for example.")
    private boolean quiet;

    @Option(
            names = "--verbose",
            description = "Also say when the lock was acquired and released, its token, and how long the command ran.")
    private boolean verbose;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    void check() {
        if (quiet && verbose) {
            throw new ParameterException(spec.commandLine(), "--quiet and --verbose exclude each other; drop one");
        }
    }

    boolean isQuiet() {
        return quiet;
    }

    /** Says what is no error, but what a user wants to know. */
    void inform(String sentence) {
        if (!quiet) {
            Console.say(sentence);
        }
    }

    /** Says what only who asked for it wants to know. */
    void detail(String sentence) {
        if (verbose) {
            Console.say(sentence);
        }
    }
}
