// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.Ticker;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import java.util.Set;

/**
 * Opens {@code migrate:NAME from URL to URL}: two stores, of which each lease uses one or both, as the migration of that name says. Options,
 * after the name: {@code register}, {@code from} or {@code to}, the store that keeps the register; unless set, the one after {@code to}.
 * Thread-safe.
 */
public final class MigrationBackendProvider implements LockBackendProvider {
    /** For {@link java.util.ServiceLoader}. */
    public MigrationBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("migrate");
    }

    @Override
    public Set<String> options() {
        return Set.of(MigrationStores.REGISTER);
    }

    @Override
    public LockBackend open(StoreUrl url) {
        MigrationStores stores = MigrationStores.open(url);
        return new MigrationBackend(stores.old(), stores.young(), stores.register(), Ticker.system()).watching();
    }
}
