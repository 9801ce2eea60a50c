// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.migration.register.MigrationRecord;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import java.time.Duration;

/**
 * How far a migration is, as its register says. Immutable.
 *
 * @param window which leases may be had
 * @param mode in which mode processes acquire locks now
 * @param direction OLD or NEW: where the fleet was going at the last step; OLD also before the first
 * @param isFinished whether it has come to its end: in the window NEW for good, in the window OLD because it was given up
 * @param bound for how long a process goes by what it has read
 * @param oldFloor tokens of leases in the old store alone are greater
 * @param newFloor tokens of leases in the new store alone are greater
 */
public record MigrationStatus(
        MigrationWindow window,
        LeaseMode mode,
        LeaseMode direction,
        boolean isFinished,
        Duration bound,
        long oldFloor,
        long newFloor) {
    static MigrationStatus of(MigrationRecord record) {
        return new MigrationStatus(
                record.window(),
                record.mode(),
                record.direction(),
                record.isFinished(),
                record.bound(),
                record.oldFloor(),
                record.newFloor());
    }
}
