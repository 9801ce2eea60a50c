// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.watch;

import io.mortise.lock.LockClient;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.console.TimeConverter;
import io.mortise.lock.cli.store.StoreOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mortise top}: shows in a terminal, again and again, which locks are held. */
@Command(
        name = "top",
        description = {
            "Shows the locks that are held, those first for which most others wait, and draws them anew until it is interrupted.",
            "Without a terminal it prints one table."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the table was printed once",
            "64:the command line, the store's URL or its file is wrong, or the store refuses for good",
            "69:the store did not answer the first question",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "78:the store cannot list",
            "130:interrupted, as by Ctrl-C",
            "141:the reader of standard output has gone"
        })
public final class TopCommand implements Callable<Integer> {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = TimeConverter.Positive.class,
            description = "How often to look, 1s by default.")
    private Duration every = Duration.ofSeconds(1);

    @Option(names = "--once", description = "Print one table, and end.")
    private boolean once;

    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "Only locks whose names begin with this.")
    private String prefix = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (LockClient client = store.connectToLook()) {
            LockWatch watch = new LockWatch(client, prefix);
            LockWatch.Look look = watch.firstLook();
            if (once || !Terminal.isThere()) {
                table(watch, look, new Terminal.Size(Terminal.size().width(), Integer.MAX_VALUE))
                        .forEach(line -> out.print(line.stripTrailing() + "\n"));
                return ExitCode.OK;
            }
            CountDownLatch end = new CountDownLatch(1);
            try (Terminal terminal = new Terminal(out)) {
                while (!out.checkError()) {
                    terminal.draw(table(watch, look, Terminal.size()));
                    boolean unused = end.await(every.toNanos(), TimeUnit.NANOSECONDS);
                    look = watch.look();
                }
            }
        }
        return ExitCode.OK;
    }

    private static List<String> table(LockWatch watch, LockWatch.Look look, Terminal.Size size) {
        return LockTable.lines(watch.store(), look, size.width(), size.height());
    }
}
