// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.LockClient;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.console.Json;
import io.mortise.lock.cli.store.StoreOptions;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options and the output that {@code show} and {@code revoke} share, as both ask about one lock. */
final class LockQuery {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Print a JSON object on one line.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    private String name = "";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** The answer to a question about a lock, for programs and for people; not {@code yes} if nobody holds the lock. */
    record Reply(boolean yes, Json json, String text) {}

    /** Asks about the lock, prints the answer, and returns the exit code. */
    int ask(Function<DistributedLock, Reply> question) {
        try (LockClient client = store.connectToLook()) {
            Reply reply = question.apply(client.lock(name));
            spec.commandLine().getOut().print((json ? reply.json() : reply.text()) + "\n");
            return reply.yes() ? ExitCode.OK : ExitCode.NO;
        }
    }
}
