// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.cli.console.Json;
import io.mortise.lock.migration.MigrationStatus;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;

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
