// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mortise demo}: demonstrates what a lock is good for. */
@Command(
        name = "demo",
        description = "Shows what a lock is good for.",
        subcommands = {CouponsCommand.class, SellCommand.class})
public final class DemoCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    /** Made once, for the command line. */
    public DemoCommand() {}

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "say which demonstration: coupons");
        }
    }
}
