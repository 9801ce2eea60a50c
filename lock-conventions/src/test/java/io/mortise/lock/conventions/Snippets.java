// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.jdbc.JdbcBackend;
import javax.sql.DataSource;

/** The examples of the documents, compiled. {@link DocumentsTest} compares them with the documents. */
final class Snippets {
    private Snippets() {}

    interface Ledger {
        void charge(String order, long fencingToken);
    }

    static void readme(Ledger ledger, String order) throws InterruptedException {
        try (LockClient locks = LockClient.connect("jdbc:sqlite:locks.db")) {
            DistributedLock lock = locks.lock("orders/42");
            try (Lease lease = lock.acquire()) { // waits; renewed until closed
                ledger.charge(order, lease.fencingToken());
            }
        }
    }

    static LockClient overTheApplicationsOwnPool(DataSource dataSource) {
        LockClient locks = LockClient.builder(JdbcBackend.of(dataSource)).build();
        return locks;
    }
}
