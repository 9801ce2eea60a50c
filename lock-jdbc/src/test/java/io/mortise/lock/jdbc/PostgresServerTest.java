// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.jdbc.connection.CachedConnections;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.SafetyLevel;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A server in an odd time zone, whose transactions are serializable unless told otherwise. It looks for deadlocks sooner than
 * our statements end their waits.
 */
class PostgresServerTest extends ServerContract {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.postgres(
            "TimeZone=Pacific/Chatham", "default_transaction_isolation=serializable", "deadlock_timeout=1ms");

    @BeforeAll
    static void makeClock() {
        try (Rows rows = new Rows(DATABASE.url())) {
            rows.execute("create schema clock");
            rows.execute("create function clock.clock_timestamp() returns timestamptz language sql volatile as"
                    + " 'select pg_catalog.clock_timestamp()"
                    + " + cast(current_setting(''mortise.ahead'') as bigint) * interval ''1 microsecond'''");
        }
    }

    @Override
    TestDatabase database() {
        return DATABASE;
    }

    @Override
    String demandingTls() {
        return "&sslmode=require";
    }

    @Override
    String hastyUrl() {
        return url() + "&options=-c%20synchronous_commit=off";
    }

    /** A function of that name which the search path finds first. */
    @Override
    String moveClock() {
        return "select set_config('mortise.ahead', cast(? as text), false),"
                + " set_config('search_path', 'clock, pg_catalog, public', false)";
    }

    @Override
    Client inZone(int hours) {
        CachedConnections connections = new CachedConnections(
                () -> {
                    Connection connection = DriverManager.getConnection(url());
                    connection.createStatement().execute("set time zone " + hours);
                    return connection;
                },
                TableSettings.DEFAULT);
        return new Client(JdbcBackend.connect(connections, TableSettings.DEFAULT, Optional.empty(), ""));
    }

    @Override
    String isolatedUrl(TransactionIsolationLevel isolation) {
        return url() + "&options=-c%20default_transaction_isolation="
                + isolation.name().toLowerCase(Locale.ROOT).replace("_", "%5C%20");
    }

    @Override
    boolean failsToSerialize(TransactionIsolationLevel isolation) {
        return isolation.intValue() >= Connection.TRANSACTION_REPEATABLE_READ;
    }

    @Override
    List<Long> blocked(Rows rows) {
        return rows.handle()
                .createQuery("select pid from pg_stat_activity where wait_event_type = 'Lock'")
                .mapTo(Long.class)
                .list();
    }

    @Override
    void makeGate(Rows rows, String table, String key) {
        rows.execute("create function pass_gate() returns trigger language plpgsql as $$ begin"
                + " while not pg_try_advisory_xact_lock(1) loop perform pg_sleep(0.01); end loop; return null; end $$");
        rows.execute("create trigger gate after update on " + table + " for each row when (new.lock_key = '" + key
                + "') execute function pass_gate()");
    }

    @Override
    void closeGate(Rows rows) {
        rows.execute("select pg_advisory_lock(1)");
    }

    @Override
    void openGate(Rows rows) {
        rows.execute("select pg_advisory_unlock(1)");
    }

    /** The victim is whoever finds the deadlock, and this session does not look. */
    @Override
    void surviveDeadlocks(Rows rows) {
        rows.execute("set deadlock_timeout = '1h'");
    }

    @Override
    long deadlocks(Rows rows) {
        return rows.number("select deadlocks from pg_stat_database where datname = current_database()");
    }

    @Override
    void kill(Rows rows, long session) {
        rows.handle().execute("select pg_terminate_backend(?)", (int) session);
    }

    @Test
    void aTryWhoseConnectionsAreKilledInMidStatementIsRepeated() throws Exception {
        try (Client owner = Client.open(url());
                LockClient client = LockClient.connect(url());
                Rows rows = new Rows(url());
                Rows killer = new Rows(url())) {
            owner.held(lock).release(ENOUGH);
            Handle blocker = blockRow(rows, lock);
            CompletableFuture<Lease> acquiring = client.lock(lock).acquireAsync();
            killThree(killer);
            assertThat(acquiring).isNotDone();
            blocker.commit();
            Lease lease = acquiring.get(20, TimeUnit.SECONDS);
            assertThat(tryAcquire(owner.claim(lock))).isFalse();
            assertThat(lease.release()).isTrue();
            assertThat(tryAcquire(owner.claim(lock))).isTrue();
        }
    }

    @Test
    void firstTriesOfManyAtOnceLeaveNoErrorInTheLogOfTheServer() throws Exception {
        try (Client one = Client.open(url());
                Client two = Client.open(url());
                Client three = Client.open(url())) {
            for (int round = 0; round < 30; round++) {
                String name = lock + round;
                List<CompletableFuture<Boolean>> tries = new ArrayList<>();
                for (Client client : List.of(one, two, three)) {
                    tries.add(inBackground(() -> tryAcquire(client.claim(name))));
                }
                int granted = 0;
                for (CompletableFuture<Boolean> each : tries) {
                    granted += each.get(20, TimeUnit.SECONDS) ? 1 : 0;
                }
                assertThat(granted).isEqualTo(1);
            }
        }
        assertThat(DATABASE.server().output()).doesNotContain("duplicate key");
    }

    @Test
    void aServerThatAnswersBeforeItsDiskForgetsInACrash() {
        try (Client durable = Client.open(url());
                Client hasty = Client.open(hastyUrl())) {
            assertThat(durable.backend.safetyLevel()).isEqualTo(SafetyLevel.DURABLE);
            assertThat(hasty.backend.safetyLevel()).isEqualTo(SafetyLevel.SINGLE_STORE);
        }
    }
}
