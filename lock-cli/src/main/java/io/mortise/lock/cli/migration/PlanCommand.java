// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.cli.console.Json;
import io.mortise.lock.cli.migration.MigrationOptions.Reply;
import io.mortise.lock.migration.MigrationPlan;
import io.mortise.lock.spi.FencingStrength;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mortise migrate plan}: tells what a migration between two stores could promise. */
@Command(
        name = "plan",
        description = "Asks both stores what a migration can promise, and tells the steps. Starts nothing.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the migration can be started",
            MigrationOptions.WRONG,
            MigrationOptions.NO_ANSWER,
            MigrationOptions.OWN_ERROR,
            MigrationOptions.NOT_WRITTEN,
            MigrationOptions.READER_GONE
        })
public final class PlanCommand implements Callable<Integer> {
    @Mixin
    private MigrationOptions options = new MigrationOptions();

    @Override
    public Integer call() {
        return options.answer(migration -> {
            MigrationPlan plan = migration.plan();
            return new Reply(true, json(migration.name(), plan), text(migration.name(), plan));
        });
    }

    private static Json json(String name, MigrationPlan plan) {
        return new Json()
                .put("migration", name)
                .put("old_store", plan.oldStore())
                .put("new_store", plan.newStore())
                .put("register", plan.registerIsInNew() ? "to" : "from")
                .put("old_safety", plan.oldSafety().name())
                .put("new_safety", plan.newSafety().name())
                .put("dual_safety", plan.dualSafety().name())
                .put("fencing", plan.fencing().name())
                .put("tokens_may_fall_forth", plan.mayFallForth())
                .put("tokens_may_fall_back", plan.mayFallBack())
                .put("longest_lease_ms", plan.longestLease().toMillis());
    }

    private static String text(String name, MigrationPlan plan) {
        return String.join(
                "\n",
                name + ": from " + plan.oldStore() + " (" + plan.oldSafety() + ") to " + plan.newStore() + " ("
                        + plan.newSafety() + ")",
                "  register: in the " + (plan.registerIsInNew() ? "new" : "old")
                        + " store; who cannot read it for longer than the bound is refused",
                "  while locks are held in both stores, both must answer, and exclusion is that of the weaker: "
                        + plan.dualSafety(),
                "  tokens: " + tokens(plan),
                "  steps: start; give every process this URL; advance --to DUAL; end all clients of the old store alone;",
                "    advance --to DUAL_AND_NEW; advance --to NEW; finish; give every process the URL of the new store",
                "  start and the step out of DUAL last as long as the bound (start --bound TIME) and a little longer");
    }

    private static String tokens(MigrationPlan plan) {
        if (plan.fencing() == FencingStrength.NONE) {
            return "none while locks are held in both stores, as one of them has none";
        }
        if (!plan.mayFallForth() && !plan.mayFallBack()) {
            return "rise at every step";
        }
        return "those of locks that nobody acquires in both stores may fall on the way "
                + (plan.mayFallForth() ? "to the new store" : "")
                + (plan.mayFallForth() && plan.mayFallBack() ? " and on the way " : "")
                + (plan.mayFallBack() ? "back" : "")
                + "; the step needs --tokens-may-fall there";
    }
}
