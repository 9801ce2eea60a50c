// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients of one H2 database whose URLs name different schemas. */
class H2SchemasTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @BeforeEach
    void makeSchema() {
        try (Rows rows = new Rows(url)) {
            rows.execute("create schema other");
        }
    }

    @Test
    void clientsInDifferentSchemasDoNotHoldOneLockTwice() {
        try (Client client = Client.open(url)) {
            client.held("a");
            assertThat(client.backend).hasToString("JdbcBackend[H2, table PUBLIC.MORTISE_LOCKS]");
            assertThatThrownBy(() -> Client.open(url + ";SCHEMA=OTHER"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("OTHER.MORTISE_LOCKS")
                    .hasMessageContaining("PUBLIC.MORTISE_LOCKS");
            try (Client same = Client.open(url + ";SCHEMA=OTHER;mortise.table=public.mortise_locks")) {
                assertThat(tryAcquire(same.claim("a"))).isFalse();
            }
        }
    }

    @Test
    void theGuardOfATransactionNeverAsksTheTableOfAnotherSchema() throws Exception {
        try (LockClient client = LockClient.connect(url);
                Connection transaction = DriverManager.getConnection(url + ";SCHEMA=OTHER")) {
            transaction.setAutoCommit(false);
            Lease lease = client.lock("a").acquire();
            TransactionGuard.ofDefaultTable().ensureHeld(transaction, lease);
            transaction.rollback();
            Client.open(url + ";mortise.table=other.mortise_locks").close();
            assertThatThrownBy(() -> TransactionGuard.ofDefaultTable().ensureHeld(transaction, lease))
                    .isInstanceOf(LockConfigurationException.class);
            TransactionGuard.ofTable("public.mortise_locks").ensureHeld(transaction, lease);
            transaction.rollback();
        }
    }

    @Test
    void aDatabaseOfLowerCaseNamesHasTheSameTable() {
        String lowerCase = "jdbc:h2:mem:" + UUID.randomUUID() + ";DATABASE_TO_LOWER=TRUE";
        try (Client client = Client.open(lowerCase);
                Client full = Client.open(lowerCase + ";mortise.table=PUBLIC.MORTISE_LOCKS")) {
            client.held("a");
            assertThat(tryAcquire(full.claim("a"))).isFalse();
            assertThat(client.backend).hasToString("JdbcBackend[H2, table public.mortise_locks]");
        }
    }
}
