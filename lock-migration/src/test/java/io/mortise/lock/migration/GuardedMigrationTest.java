// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.jdbc.TransactionGuard;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.tck.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions in the database to which a fleet moves, guarded by its leases. */
@Timeout(120)
class GuardedMigrationTest {
    private static final Duration BOUND = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private static void ensureHeld(PostgresServer postgres, Lease lease) throws SQLException {
        try (Connection transaction = DriverManager.getConnection(postgres.url())) {
            transaction.setAutoCommit(false);
            TransactionGuard.ofDefaultTable().ensureHeld(transaction, lease);
            transaction.commit();
        }
    }

    private static void isGuarded(PostgresServer postgres, String url) throws Exception {
        LockOptions brief =
                LockOptions.defaults().withLease(Duration.ofSeconds(1)).withRenewal(false);
        try (LockClient first = LockClient.connect(url);
                LockClient second = LockClient.connect(url)) {
            Lease late = first.lock("orders", brief).acquire();
            assertThatCode(() -> ensureHeld(postgres, late)).doesNotThrowAnyException();
            try (Lease next = second.lock("orders").acquire()) {
                assertThatCode(() -> ensureHeld(postgres, next)).doesNotThrowAnyException();
                assertThatThrownBy(() -> ensureHeld(postgres, late)).isInstanceOf(LockLostException.class);
            }
        }
    }

    /** Not before: a lease in the old store alone leaves nothing in the database by which another one could be told from it. */
    @Test
    void fromDualOnLeasesAreGuarded() throws Exception {
        try (PostgresServer postgres = PostgresServer.start()) {
            String url = "migrate:guarded from jdbc:sqlite:" + folder.resolve("old.db") + " to " + postgres.url();
            try (Migration migration = Migration.open(url)) {
                migration.start(BOUND, left -> {});
                MigrationWindow now = migration.advance(MigrationWindow.OLD_AND_DUAL, left -> {});
                isGuarded(postgres, url);
                while (now != MigrationWindow.NEW) {
                    now = migration.advance(now, left -> {});
                }
                isGuarded(postgres, url);
            }
        }
    }
}
