// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.fleet;

import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.window.MigrationWindow;

/** An operator in a process of its own, which can be killed. Arguments: the URL, the window in which the migration is, {@code advance} or {@code back}. */
public final class FleetOperator {
    private FleetOperator() {}

    /** Makes one step. */
    public static void main(String[] arguments) {
        try (Migration migration = Migration.open(arguments[0])) {
            migration.tokensMayFall(true);
            MigrationWindow from = MigrationWindow.valueOf(arguments[1]);
            MigrationWindow unused = arguments[2].equals("advance")
                    ? migration.advance(from, left -> {})
                    : migration.back(from, left -> {});
        }
        Runtime.getRuntime().halt(0); // whatever threads a driver has left
    }
}
