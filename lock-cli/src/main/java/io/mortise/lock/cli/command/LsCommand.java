// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockHolder;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.store.StoreOptions;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mortise ls}: lists the locks that are held now. */
@Command(
        name = "ls",
        description = "Lists the locks that are held now.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done, also if no lock is held",
            "64:the command line, the store's URL or its file is wrong, or the store refuses for good",
            "69:the store did not answer",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "78:the store cannot list",
            "141:the reader of standard output has gone"
        })
public final class LsCommand implements Callable<Integer> {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Print a JSON array, one lock on each line.")
    private boolean json;

    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "Only locks whose names begin with this.")
    private String prefix = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        try (LockClient client = store.connectToLook();
                Stream<LockHolder> holders = client.holders(prefix)) {
            PrintWriter out = spec.commandLine().getOut();
            Iterator<LockHolder> each = holders.iterator();
            if (json) {
                out.print("[");
                for (String separator = "\n"; each.hasNext(); separator = ",\n") {
                    out.print(separator + HolderText.json(each.next()));
                }
                out.print("\n]\n");
            } else {
                each.forEachRemaining(holder -> out.print(HolderText.line(holder) + "\n"));
            }
        }
        return ExitCode.OK;
    }
}
