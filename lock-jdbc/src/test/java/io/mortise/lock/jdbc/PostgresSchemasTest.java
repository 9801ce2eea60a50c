// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.LEASE;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockLostException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** Users of one database, each of whom finds plain names in another schema. */
class PostgresSchemasTest {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.fastPostgres();

    /** {@code alpha} has a schema of its name, {@code beta} has none. */
    @BeforeEach
    void makeUsers() {
        try (Rows rows = new Rows(DATABASE.url())) {
            rows.execute("drop schema if exists alpha cascade");
            rows.execute("do $$ begin create role alpha login; create role beta login;"
                    + " exception when duplicate_object then null; end $$");
            rows.execute("create schema alpha authorization alpha");
            rows.execute("grant create on schema public to alpha, beta");
            rows.execute("grant usage on schema alpha to beta");
            rows.execute("alter default privileges grant all on tables to alpha, beta");
            rows.execute("alter default privileges for role alpha grant all on tables to beta");
            rows.execute("alter default privileges for role beta grant all on tables to alpha");
        }
    }

    private static String url(String user) {
        return DATABASE.url().replace("user=mortise", "user=" + user);
    }

    @Test
    void usersWhoFindTheTableInOtherSchemasDoNotHoldOneLockTwice() {
        try (Client alpha = Client.open(url("alpha"))) {
            alpha.held("a");
            assertThat(alpha.backend).hasToString("JdbcBackend[PostgreSQL, table alpha.mortise_locks]");
            assertThatThrownBy(() -> Client.open(url("beta")))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("public.mortise_locks")
                    .hasMessageContaining("alpha.mortise_locks")
                    .hasMessageContaining("mortise.table");
            for (String name : List.of("alpha.mortise_locks", "ALPHA.Mortise_Locks", "%22alpha%22.mortise_locks")) {
                try (Client beta = Client.open(url("beta") + "&mortise.table=" + name)) {
                    assertThat(tryAcquire(beta.claim("a"))).as(name).isFalse();
                }
            }
            try (Client apart = Client.open(url("beta") + "&mortise.table=public.mortise_locks")) {
                apart.held("a");
            }
            assertThatThrownBy(() -> Client.open(url("alpha")))
                    .as("two tables are there now")
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("public.mortise_locks");
        }
    }

    @Test
    void aTableThatTheSearchPathFindsIsUsedByAll() {
        try (Client beta = Client.open(url("beta"));
                Client alpha = Client.open(url("alpha"))) {
            beta.held("a");
            assertThat(tryAcquire(alpha.claim("a"))).isFalse();
        }
    }

    @Test
    void usersWhoConnectAtOnceDoNotHoldOneLockTwice() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 10; round++) {
                List<Callable<Client>> openings = new ArrayList<>();
                String table = "&mortise.table=at_once_" + round;
                for (String user : List.of("alpha", "beta")) {
                    openings.add(() -> Client.open(url(user) + table));
                }
                int holders = 0;
                for (Future<Client> opening : threads.invokeAll(openings)) {
                    try (Client client = opening.get()) {
                        holders += tryAcquire(client.claim("a")) ? 1 : 0;
                    } catch (java.util.concurrent.ExecutionException refused) {
                        assertThat(refused).hasCauseInstanceOf(LockConfigurationException.class);
                    }
                }
                assertThat(holders).isLessThan(2);
            }
        } finally {
            threads.shutdown();
        }
    }

    /** As of a pool whose connections are set up in different ways. */
    @Test
    void connectionsThatFindPlainNamesElsewhereReachTheSameTable() {
        AtomicInteger connections = new AtomicInteger();
        PGSimpleDataSource mixed = new PGSimpleDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = DriverManager.getConnection(DATABASE.url());
                boolean odd = connections.getAndIncrement() % 2 == 1;
                connection.createStatement().execute("set search_path = " + (odd ? "alpha" : "public"));
                return connection;
            }
        };
        try (Client client = new Client(JdbcBackend.of(mixed));
                Rows rows = new Rows(DATABASE.url())) {
            rows.execute("create table alpha.mortise_locks (like public.mortise_locks including all)");
            rows.execute("create table alpha.mortise_locks_grants (like public.mortise_locks_grants including all)");
            client.held("a");
            for (int i = 0; i < 4; i++) {
                assertThat(tryAcquire(client.claim("a"))).isFalse();
            }
            assertThat(rows.number("select count(*) from alpha.mortise_locks")).isZero();
        }
    }

    @Test
    void theGuardOfATransactionNeverAsksTheTableOfAnotherSchema() throws Exception {
        try (LockClient holder = LockClient.connect(DATABASE.url());
                Rows rows = new Rows(DATABASE.url());
                Connection transaction = DriverManager.getConnection(url("alpha"))) {
            transaction.setAutoCommit(false);
            TransactionGuard guard = TransactionGuard.ofDefaultTable();
            Lease lease = holder.lock("a").acquire();
            guard.ensureHeld(transaction, lease);
            transaction.rollback();
            rows.execute("create table alpha.mortise_locks_grants (like public.mortise_locks_grants including all)");
            rows.execute("create table alpha.mortise_locks (like public.mortise_locks including all)");
            rows.execute("insert into alpha.mortise_locks_grants values ('a', 1)");
            rows.execute("grant all on alpha.mortise_locks_grants to alpha");
            rows.execute("update public.mortise_locks_grants set fence = fence + 1000000 where lock_key = 'a'");
            assertThatThrownBy(() -> guard.ensureHeld(transaction, lease))
                    .as("the row of another schema, of long ago, would let it pass")
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("alpha.mortise_locks")
                    .hasMessageContaining("public.mortise_locks");
            transaction.rollback();
            assertThatThrownBy(() ->
                            TransactionGuard.ofTable("public.mortise_locks").ensureHeld(transaction, lease))
                    .isInstanceOf(LockLostException.class);
            transaction.rollback();
        }
    }

    /** A plain name is looked for in the whole database, and not only where the transaction's user looks. */
    @Test
    void theGuardFindsTheOnlyTableThereIs() throws Exception {
        try (LockClient holder = LockClient.connect(url("alpha"));
                Connection transaction = DriverManager.getConnection(url("beta"))) {
            transaction.setAutoCommit(false);
            try (Lease lease = holder.lock("a").acquire()) {
                TransactionGuard.ofDefaultTable().ensureHeld(transaction, lease);
                transaction.rollback();
            }
        }
    }

    @Test
    void aSchemaThatIsNotThereIsAClearErrorAtConnect() {
        assertThatThrownBy(() -> Client.open(DATABASE.url() + "&mortise.table=nowhere.mortise_locks"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() -> Client.open(DATABASE.url() + "&options=-c%20search_path=nowhere"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("no schema");
    }

    @Test
    void waitersAreToldOfReleasesHoweverTheTableIsNamed() {
        try (Client plain = Client.open(DATABASE.url());
                Client full = Client.open(DATABASE.url() + "&mortise.table=Public.Mortise_Locks")) {
            assertThat(plain.backend).hasToString(full.backend.toString());
            plain.held("a");
            assertThat(tryAcquire(full.claim("a", LEASE, 0, 1))).isFalse();
            assertThat(full.backend.inspect("a", ENOUGH)).isPresent();
        }
    }
}
