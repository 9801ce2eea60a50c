// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.servers.PostgresServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresRefusalTest extends RefusalContract {
    private static final String REPLICATION = "('host replication all all trust')";

    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.fastPostgres();

    @BeforeEach
    void makeUser() {
        try (Rows rows = new Rows(url())) {
            rows.execute("do $$ begin create role worker login password 'right'; create role outsider login;"
                    + " alter role outsider nologin;"
                    + " exception when duplicate_object then null; end $$");
        }
    }

    @Override
    List<String> tables() {
        return List.of("mortise_locks", "mortise_locks_grants", "mortise_locks_queue");
    }

    @Override
    String url() {
        return DATABASE.url();
    }

    @Override
    String usersUrl() {
        return as("worker");
    }

    private String as(String user) {
        return url().replace("user=mortise", "user=" + user);
    }

    @Test
    void aStandbyIsToldAtConnect() {
        Client.open(url()).close();
        try (PostgresServer standby = PostgresServer.standbyOf((PostgresServer) DATABASE.server())) {
            cannotConnect(standby.url(), "takes writes");
            cannotConnect(standby.url() + "&mortise.table=not_there", "takes writes");
        }
    }

    @Test
    void aDatabaseThatMayOnlyBeReadIsToldAtOnce() {
        Client.open(url()).close();
        cannotConnect(url() + "&options=-c%20default_transaction_read_only=on", "takes writes");
        try (Client client = Client.open(url());
                Rows rows = new Rows(url())) {
            Claim held = client.held("a");
            rows.execute("alter database postgres set default_transaction_read_only = on");
            try {
                rows.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where pid <> pg_backend_pid() and backend_type = 'client backend'");
                await().atMost(ENOUGH)
                        .ignoreExceptionsMatching(PostgresRefusalTest::isSilence)
                        .untilAsserted(() -> isRefused(() -> held.renew(Client.LEASE, ENOUGH), "takes writes"));
            } finally {
                rows.execute("set default_transaction_read_only = off");
                rows.execute("alter database postgres reset default_transaction_read_only");
            }
            assertThat(held.renew(Client.LEASE, ENOUGH)).isTrue();
        }
    }

    private static boolean isSilence(Throwable failure) {
        return failure instanceof BackendException silent && silent.kind() == BackendException.Kind.NO_ANSWER;
    }

    @Test
    void whoIsNotLetInIsToldSo() throws Exception {
        cannotConnect(url().replace("/postgres?", "/nosuch?"), "correct its name");
        cannotConnect(as("nobody_knows"), "user");
        cannotConnect(as("outsider"), "user");
        try (Rows rows = new Rows(url())) {
            String rules = rows.handle()
                    .createQuery("show hba_file")
                    .mapTo(String.class)
                    .one();
            rows.execute("copy (values ('host all worker all scram-sha-256'), ('host all all all trust')," + REPLICATION
                    + ") to '" + rules + "'");
            rows.handle()
                    .createQuery("select pg_reload_conf()")
                    .mapTo(Boolean.class)
                    .one();
            try {
                await().atMost(ENOUGH)
                        .untilAsserted(
                                () -> cannotConnect(usersUrl() + "&password=wrong", "correct user and password"));
            } finally {
                rows.execute("copy (values ('host all all all trust')," + REPLICATION + ") to '" + rules + "'");
                rows.handle()
                        .createQuery("select pg_reload_conf()")
                        .mapTo(Boolean.class)
                        .one();
            }
            await().atMost(ENOUGH).ignoreExceptions().until(() -> {
                new Rows(usersUrl()).close();
                return true;
            });
        }
    }

    /** The server itself cannot be brought there without a disk of its own; a trigger says what it would say. */
    @Test
    void aFullDiskIsToldAtOnceAndChangesNothing() {
        try (Client client = Client.open(url());
                Rows rows = new Rows(url())) {
            rows.execute("create or replace function full_disk() returns trigger language plpgsql as"
                    + " $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$");
            rows.execute(
                    "create trigger full_disk after insert on mortise_locks_grants" + " execute function full_disk()");
            isRefused(() -> tryAcquire(client.claim("a")), "make some");
            rows.execute("drop trigger full_disk on mortise_locks_grants");
            assertThat(rows.names()).isZero();
            assertThat(tryAcquire(client.claim("a"))).isTrue();
        }
    }

    /** That says nothing of the table. */
    @Test
    void aConnectionThatBreaksWhileConnectingIsNoAnswer() {
        Client.open(url()).close();
        try (Rows blocker = new Rows(url());
                Rows killer = new Rows(url())) {
            Handle blocking = blocker.handle();
            blocking.begin();
            blocking.execute("lock table mortise_locks in access exclusive mode");
            CompletableFuture<Void> opening =
                    CompletableFuture.runAsync(() -> Client.open(url()).close());
            await().atMost(ENOUGH)
                    .until(() -> killer.number(
                                    "select count(*) from"
                                            + " (select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock') k")
                            > 0);
            assertThat(opening)
                    .failsWithin(ENOUGH)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(BackendException.class, unanswered -> assertThat(unanswered.kind())
                            .isEqualTo(BackendException.Kind.NO_ANSWER))
                    .withMessageNotContaining("table");
            blocking.rollback();
        }
    }
}
