// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.jdbc.JdbcBackend;
import java.time.Duration;
import javax.sql.DataSource;

/** The examples of the documents, compiled. {@link DocumentsTest} compares them with the documents. */
final class Snippets {
    private Snippets() {}

    interface Ledger {
        void charge(String order, long fencingToken);
    }

    static void readme(Ledger ledger, String order) throws InterruptedException {
        try (LockClient locks = LockClient.connect("jdbc:sqlite:/var/lib/shop/locks.db")) {
            DistributedLock lock = locks.lock("orders/42");
            try (Lease lease = lock.acquire()) { // waits; renewed until closed
                ledger.charge(order, lease.fencingToken());
            }
        }
    }

    interface Report {
        void write();
    }

    interface Cache {
        void warm(boolean alone);
    }

    static boolean leastHold(LockClient locks, Report report) throws InterruptedException {
        LockOptions nightly = locks.options().withMinHold(Duration.ofMinutes(5));
        boolean done = locks.lock("nightly report", nightly).tryRun(lease -> report.write());
        return done;
    }

    static void withoutAnswer(LockClient locks, Cache cache) throws InterruptedException {
        LockOptions optional = locks.options().withGoOnWithoutAnswer(true);
        locks.lock("warm the cache", optional).run(lease -> cache.warm(!lease.isWithoutLock()));
    }

    static LockClient overTheApplicationsOwnPool(DataSource dataSource) {
        LockClient locks = LockClient.builder(JdbcBackend.of(dataSource)).build();
        return locks;
    }
}
