// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks by a majority of independent stores.
 *
 * @provides io.mortise.lock.spi.LockBackendProvider the {@code redlock:} backend
 */
module io.mortise.lock.redlock {
    requires transitive io.mortise.lock;
    requires static transitive org.jspecify;

    exports io.mortise.lock.redlock;

    provides io.mortise.lock.spi.LockBackendProvider with
            io.mortise.lock.redlock.RedlockBackendProvider;
}
