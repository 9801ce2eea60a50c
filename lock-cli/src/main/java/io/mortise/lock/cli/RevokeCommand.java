// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.LockClient;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mortise revoke}: takes a lock from its holder. */
@Command(
        name = "revoke",
        description = "Takes a lock from its holder: it is not renewed any more, and is free when its lease ends.",
        footer = {
            "",
            "Exit status: 0 revoked; 1 nobody held it and nothing was changed; 69 the store did not answer;"
                    + " 78 the store cannot revoke."
        })
final class RevokeCommand implements Callable<Integer> {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Why; the holder is told, and it stays beside the lock.")
    private String reason = "";

    @Option(
            names = "--now",
            description =
                    "Free the lock at once. Until its holder notices, two may believe that they hold it: only when"
                            + " the holder is known to be dead, or when what the lock protects checks fencing tokens.")
    private boolean now;

    @Option(names = "--json", description = "Print a JSON object on one line.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    private String name = "";

    @Override
    public Integer call() {
        try (LockClient client = store.connect();
                PrintStream out = Main.output()) {
            DistributedLock lock = client.lock(name);
            boolean revoked = now ? lock.revokeNow(reason) : lock.revoke(reason);
            String story = !revoked
                    ? "nobody holds it; nothing was changed"
                    : now ? "revoked; it is free now" : "revoked; it is free when its lease ends";
            out.print(
                    (json ? new Json().put("lock", name).put("revoked", revoked).toString() : story) + "\n");
            return revoked ? ExitCode.OK : ExitCode.NO;
        }
    }
}
