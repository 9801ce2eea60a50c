// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

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
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say which demonstration: coupons");
    }
}
