// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;

/** The suite on tables that can be changed behind a holder's back. */
abstract class JdbcTck extends LockBackendTck implements TableFaults {
    /** A store that other processes cannot open has no name; its tables have. */
    @Override
    public LockBackend open(String store) {
        return new JdbcBackendProvider().open(StoreUrl.parse(store.isEmpty() ? tables() : store));
    }

    @Override
    public String tables() {
        return store();
    }
}
