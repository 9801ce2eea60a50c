// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.cli.console.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mortise revoke}: takes a lock from its holder. */
@Command(
        name = "revoke",
        description =
                "Takes a lock from its holder: the lock is not renewed any more, and is free when its lease ends.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:revoked",
            "1:nobody held it, and nothing was changed",
            "64:the command line, the store's URL or its file is wrong, or the store refuses for good",
            "69:the store did not answer",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "78:the store cannot revoke",
            "141:the reader of standard output has gone"
        })
public final class RevokeCommand implements Callable<Integer> {
    @Mixin
    private LockQuery query = new LockQuery();

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "The reason; the holder is told it, and show prints it.")
    private String reason = "";

    @Option(
            names = "--now",
            description =
                    "Free the lock at once. Until its holder notices, two clients may believe that they hold it: use it"
                            + " only if the holder is dead, or if the protected resource checks fencing tokens.")
    private boolean now;

    @Override
    public Integer call() {
        return query.ask(lock -> {
            boolean revoked = now ? lock.revokeNow(reason) : lock.revoke(reason);
            return new LockQuery.Reply(
                    revoked, new Json().put("lock", lock.name()).put("revoked", revoked), outcome(revoked));
        });
    }

    private String outcome(boolean revoked) {
        if (!revoked) {
            return "nobody holds it; nothing was changed";
        }
        return now ? "revoked; it is free now" : "revoked; it is free when its lease ends";
    }
}
