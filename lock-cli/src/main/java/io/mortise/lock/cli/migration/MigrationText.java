// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.cli.console.Json;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.cli.migration.MigrationOptions.Reply;
import io.mortise.lock.migration.MigrationProcess;
import io.mortise.lock.migration.MigrationStatus;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How far a migration is, in words and for programs. */
final class MigrationText {
    private MigrationText() {}

    static Json json(String name, MigrationStatus status) {
        return new Json()
                .put("migration", name)
                .put("started", true)
                .put("window", status.window().name())
                .put("mode", status.mode().name())
                .put("direction", status.direction().name())
                .put("finished", status.isFinished())
                .put("bound_ms", status.bound().toMillis())
                .put("old_floor", status.oldFloor())
                .put("new_floor", status.newFloor());
    }

    static String of(String name, MigrationStatus status) {
        return name + ": window " + status.window() + "\n  " + meaning(status) + "\n  next: " + next(status);
    }

    /** The answer, with those that have told that they follow the migration. */
    static Reply with(List<MigrationProcess> processes, Reply reply) {
        Json json = reply.json();
        Map<MigrationWindow, Long> counts = new TreeMap<>(
                processes.stream().collect(Collectors.groupingBy(MigrationProcess::window, Collectors.counting())));
        for (MigrationWindow window : MigrationWindow.values()) {
            json.put("processes_in_" + window.name().toLowerCase(Locale.ROOT), counts.getOrDefault(window, 0L));
        }
        String lines = processes.stream()
                .map(process -> "\n    " + process.window() + " " + Printable.of(process.label()))
                .sorted()
                .collect(Collectors.joining());
        return new Reply(
                reply.yes(),
                json,
                reply.text() + "\n  processes that follow it, and what each has read: " + processes.size() + lines);
    }

    private static String meaning(MigrationStatus status) {
        if (status.isFinished()) {
            return status.window() == MigrationWindow.NEW
                    ? "finished; locks are acquired in the new store"
                    : "given up; locks are acquired in the old store";
        }
        return switch (status.window()) {
            case OLD -> "locks are acquired in the old store";
            case OLD_AND_DUAL -> "locks are acquired in both stores; some may still be held in the old one alone";
            case DUAL -> "locks are acquired and held in both stores";
            case DUAL_AND_NEW ->
                status.mode() == LeaseMode.NEW
                        ? "locks are acquired in the new store; some may still be held in both"
                        : "locks are acquired in both stores; some may still be held in the new one alone";
            case NEW -> "locks are acquired in the new store";
        };
    }

    private static String next(MigrationStatus status) {
        if (status.isFinished()) {
            return status.window() == MigrationWindow.NEW
                    ? "give every process the URL of the new store"
                    : "give every process the URL of the old store, or start";
        }
        return switch (status.window()) {
            case OLD -> "advance --to OLD_AND_DUAL, or abort";
            case OLD_AND_DUAL ->
                "give every process the URL of the migration, then advance --to DUAL; or back --to OLD";
            case DUAL ->
                "when no client of the old store alone is left, advance --to DUAL_AND_NEW; or back --to OLD_AND_DUAL";
            case DUAL_AND_NEW -> "advance --to NEW, or back --to DUAL";
            case NEW -> "finish, or back --to DUAL_AND_NEW";
        };
    }
}
