// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.register;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import java.time.Duration;
import java.util.Optional;

/**
 * The entry of one migration in the register of one of its stores. Thread-safe.
 *
 * @param store keeps it
 * @param migration the name of the entry
 * @param oldStore which store must be the one that the fleet leaves, as {@link MigrationRecord#oldStore()}
 * @param newStore which must be the other
 */
public record MigrationRegister(LockBackend store, String migration, String oldStore, String newStore) {
    /** A record, and the version by which it is replaced. */
    public record Versioned(String version, MigrationRecord record) {}

    /**
     * The record as it is now.
     *
     * @throws BackendException if the register did not answer, or, with the kind REFUSED, if what it has is no record of this migration
     *     between these stores
     */
    public Optional<Versioned> read(Duration atMost) {
        return store.readRegister(migration, atMost)
                .map(entry -> new Versioned(entry.version(), checked(entry.text())));
    }

    private MigrationRecord checked(String text) {
        MigrationRecord record;
        try {
            record = MigrationRecord.parse(text);
        } catch (IllegalArgumentException foreign) {
            throw BackendException.refused(
                    "the register's entry '" + migration + "' is no record of a migration that this version can read: "
                            + foreign.getMessage() + "; nobody is let in",
                    foreign);
        }
        if (!record.oldStore().equals(oldStore) || !record.newStore().equals(newStore)) {
            throw BackendException.refused(
                    "the migration '" + migration + "' goes from " + record.oldStore() + " to " + record.newStore()
                            + ", and this client was told from " + oldStore + " to " + newStore
                            + ": write both stores as they were written when it was started",
                    null);
        }
        return record;
    }

    /** Writes a record over the one of a version, or as the first one. False if another is there. */
    public boolean write(Optional<String> expected, RegisterEntry entry, Duration atMost) {
        return store.writeRegister(migration, expected, entry, atMost);
    }

    /** What is told to who needs a record where there is none. */
    BackendException missing() {
        return BackendException.refused(
                "there is no migration '" + migration + "' in the register; nobody is let in until it is started, and a"
                        + " client of " + oldStore + " alone goes on",
                null);
    }
}
