// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.migration.register.MigrationRecord;
import io.mortise.lock.migration.register.MigrationRegister;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.StoreUrl;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A migration between stores that nobody else uses, so that it needs no steps to be in any window. */
final class StartedMigration {
    private static final Duration CALL = Duration.ofSeconds(5);

    private StartedMigration() {}

    /** Writes the record. */
    static void in(MigrationWindow window, String url) {
        try (MigrationStores stores = MigrationStores.open(StoreUrl.parse(url))) {
            MigrationRegister register = stores.register();
            MigrationRecord record = new MigrationRecord(
                    window,
                    LeaseMode.NEW,
                    false,
                    Migration.DEFAULT_BOUND,
                    register.oldStore(),
                    register.newStore(),
                    0,
                    0);
            if (!register.write(Optional.empty(), RegisterEntry.of(record.text()), CALL)) {
                throw new IllegalStateException("somebody else has started it");
            }
        }
    }

    /** A process of the fleet. */
    static LockBackend open(String url) {
        return BackendSelection.open(StoreUrl.parse(url), Set.of());
    }
}
