// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Moving from one store of locks to another.
 *
 * @provides io.mortise.lock.spi.LockBackendProvider the backend of {@code migrate:} URLs
 */
module io.mortise.lock.migration {
    requires transitive io.mortise.lock;
    requires static transitive org.jspecify;

    exports io.mortise.lock.migration;
    exports io.mortise.lock.migration.window;

    provides io.mortise.lock.spi.LockBackendProvider with
            io.mortise.lock.migration.MigrationBackendProvider;
}
