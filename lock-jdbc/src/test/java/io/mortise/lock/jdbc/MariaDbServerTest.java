// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.jdbc.sql.Dialect;
import io.mortise.lock.jdbc.sql.MariaDbDialect;
import io.mortise.lock.spi.SafetyLevel;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.mariadb.jdbc.MariaDbDataSource;

/** A server in an odd time zone, whose collation ignores case, accents and blanks at the end; no commit waits for the disk. */
class MariaDbServerTest extends ServerContract {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.mariaDb(
            "--default-time-zone=+12:45",
            "--transaction-isolation=SERIALIZABLE",
            "--innodb-flush-log-at-trx-commit=2",
            "--character-set-server=utf8mb4",
            "--collation-server=utf8mb4_general_ci");

    @Override
    TestDatabase database() {
        return DATABASE;
    }

    @Override
    String demandingTls() {
        return "&sslMode=trust";
    }

    @Override
    String moveClock() {
        return "set timestamp = unix_timestamp(sysdate(6)) + ? / 1000000";
    }

    @Override
    Client inZone(int hours) {
        return Client.open(url() + "&sessionVariables=time_zone='" + (hours > 0 ? "+" : "") + hours + ":00'");
    }

    @Override
    String isolatedUrl(TransactionIsolationLevel isolation) {
        return url() + "&sessionVariables=tx_isolation='" + isolation.name().replace('_', '-') + "'";
    }

    @Override
    boolean failsToSerialize(TransactionIsolationLevel isolation) {
        return false;
    }

    /** InnoDB's own list of those who wait stays as it is while it is asked too often. */
    @Override
    List<Long> blocked(Rows rows) {
        return rows.handle()
                .createQuery("select id from information_schema.processlist where state = 'Updating'"
                        + " and info like '%mortise_locks%' and id <> connection_id()")
                .mapTo(Long.class)
                .list();
    }

    @Override
    void makeGate(Rows rows, String table, String key) {
        rows.execute("create trigger gate after update on " + table + " for each row if new.lock_key = '" + key
                + "' then do get_lock('gate', 60); do release_lock('gate'); end if");
    }

    @Override
    void closeGate(Rows rows) {
        rows.execute("do get_lock('gate', 60)");
    }

    @Override
    void openGate(Rows rows) {
        rows.execute("do release_lock('gate')");
    }

    /** The victim is whoever has changed fewer rows. */
    @Override
    void surviveDeadlocks(Rows rows) {}

    @Override
    long deadlocks(Rows rows) {
        return rows.number("select variable_value from information_schema.global_status"
                + " where variable_name = 'INNODB_DEADLOCKS'");
    }

    @Override
    void kill(Rows rows, long session) {
        try {
            rows.execute("kill connection " + session);
        } catch (JdbiException goneAlready) {
            assertThat(goneAlready).hasMessageContaining("Unknown thread id");
        }
    }

    /** As of a pool whose connections the application leaves in other databases. */
    @Test
    void connectionsThatUseAnotherDatabaseReachTheSameTable() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        MariaDbDataSource mixed = new MariaDbDataSource(url()) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = DriverManager.getConnection(url());
                if (connections.getAndIncrement() % 2 == 1) {
                    connection.setCatalog("other");
                }
                return connection;
            }
        };
        try (Client client = new Client(JdbcBackend.of(mixed));
                Rows rows = new Rows(url())) {
            rows.execute("create database other");
            rows.execute("create table other.mortise_locks like mortise_locks");
            rows.execute("create table other.mortise_locks_grants like mortise_locks_grants");
            client.held(lock);
            for (int i = 0; i < 4; i++) {
                assertThat(tryAcquire(client.claim(lock))).isFalse();
            }
            rows.execute("drop database other");
        }
    }

    @Test
    void aServerThatAnswersBeforeItsDiskForgetsInACrash() {
        try (Client client = Client.open(url());
                Rows rows = new Rows(url())) {
            assertThat(client.backend.safetyLevel()).isEqualTo(SafetyLevel.SINGLE_STORE);
            rows.execute("set global innodb_flush_log_at_trx_commit = 1");
            try (Client durable = Client.open(url())) {
                assertThat(durable.backend.safetyLevel()).isEqualTo(SafetyLevel.DURABLE);
            } finally {
                rows.execute("set global innodb_flush_log_at_trx_commit = 2");
            }
        }
    }

    /** Local time would be the same twice an hour long each autumn. */
    @Test
    void theClockIsTheSameInAnyZoneAtAnyTime() {
        Dialect dialect = MariaDbDialect.MARIADB;
        try (Rows rows = new Rows(url())) {
            for (String zone : List.of("+00:00", "+12:45", "-11:00")) {
                rows.execute("set time_zone = '" + zone + "'");
                for (long second : new long[] {1_000_000_000, 1_761_439_800, 1_774_746_000, 2_000_000_000}) {
                    rows.execute("set timestamp = " + second + ".000007");
                    assertThat(rows.number("select " + dialect.now())).isEqualTo(second * 1_000_000 + 7);
                }
            }
        }
    }
}
