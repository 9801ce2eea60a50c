// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.LockHolder;
import io.mortise.lock.cli.console.Json;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mortise show}: shows who holds one lock. */
@Command(
        name = "show",
        description = "Shows who holds a lock.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:somebody holds it",
            "1:nobody does",
            "64:the command line, the store's URL or its file is wrong, or the store refuses for good",
            "69:the store did not answer",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "78:the store cannot tell",
            "141:the reader of standard output has gone"
        })
public final class ShowCommand implements Callable<Integer> {
    @Mixin
    private LockQuery query = new LockQuery();

    @Override
    public Integer call() {
        return query.ask(lock -> {
            Optional<LockHolder> holder = lock.holder();
            return new LockQuery.Reply(
                    holder.isPresent(),
                    holder.map(HolderText::json)
                            .orElseGet(() -> new Json().put("lock", lock.name()).put("held", false)),
                    holder.map(HolderText::summary).orElse("free"));
        });
    }
}
