// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.Faults;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.servers.TestServer;

/** The suite on a server that can be frozen, and on tables that can be changed behind a holder's back. */
abstract class ServerTck extends LockBackendTck implements Faults {
    abstract TestServer server();

    @Override
    protected LockBackend open(String store) {
        return new JdbcBackendProvider().open(StoreUrl.parse(store));
    }

    @Override
    public void pauseStore() {
        server().pause();
    }

    @Override
    public void resumeStore() {
        server().resume();
    }

    @Override
    public void expireNow(String lock) {
        change("update mortise_locks set expires_us = acquired_us where lock_key = ?", lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        change("delete from mortise_locks where lock_key = ?", lock);
    }

    private void change(String sql, String lock) {
        try (Rows rows = new Rows(store())) {
            rows.handle().execute(sql, LockKey.of(lock).key());
        }
    }
}
