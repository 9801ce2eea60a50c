// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockHolder;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mortise show}: who holds one lock. */
@Command(
        name = "show",
        description = "Shows who holds a lock.",
        footer = {
            "",
            "Exit status: 0 somebody holds it; 1 nobody does; 69 the store did not answer; 78 the store cannot tell."
        })
final class ShowCommand implements Callable<Integer> {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Print a JSON object on one line.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    private String name = "";

    @Override
    public Integer call() {
        try (LockClient client = store.connect();
                PrintStream out = Main.output()) {
            Optional<LockHolder> holder = client.lock(name).holder();
            Json free = new Json().put("lock", name).put("held", false);
            out.print((json
                            ? holder.map(HolderText::json).orElse(free).toString()
                            : holder.map(HolderText::summary).orElse("free"))
                    + "\n");
            return holder.isPresent() ? ExitCode.OK : ExitCode.NO;
        }
    }
}
