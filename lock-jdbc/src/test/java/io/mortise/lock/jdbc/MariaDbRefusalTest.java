// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbRefusalTest extends RefusalContract {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.fastMariaDb();

    @BeforeEach
    void makeUser() {
        try (Rows rows = new Rows(url())) {
            rows.execute("drop user if exists worker");
            rows.execute("create user worker identified by 'right'");
        }
        Client.open(url()).close();
        try (Rows rows = new Rows(url())) {
            giveBack(rows, "select");
        }
    }

    @Override
    String url() {
        return DATABASE.url();
    }

    @Override
    String usersUrl() {
        return url().replace("user=mortise&password=mortise", "user=worker&password=right");
    }

    /** It does not tell such a user whether the table is there. */
    @Override
    String whyNotMade() {
        return "lacks a permission";
    }

    @Test
    void aServerThatMayOnlyBeReadIsToldAtOnce() {
        cannotConnect(url() + "&sessionVariables=tx_read_only=1", "takes writes");
        try (Rows rows = new Rows(url())) {
            giveBack(rows, "insert, update, delete");
            try (Client client = Client.open(usersUrl())) {
                Claim held = client.held("a");
                rows.execute("set global read_only = 1");
                try {
                    isRefused(() -> tryAcquire(client.claim("b")), "takes writes");
                    isRefused(() -> held.renew(Client.LEASE, ENOUGH), "takes writes");
                    userCannotConnect("mortise_locks", "takes writes");
                } finally {
                    rows.execute("set global read_only = 0");
                }
                assertThat(held.renew(Client.LEASE, ENOUGH)).isTrue();
            }
        }
    }

    @Test
    void whoIsNotLetInIsToldSo() {
        cannotConnect(usersUrl().replace("right", "wrong"), "correct user and password");
        cannotConnect(usersUrl().replace("/mortise?", "/mysql?"), "correct user and password");
        cannotConnect(url().replace("/mortise?", "/nosuch?"), "correct its name");
        cannotConnect(url().replace("/mortise?", "/?"), "no schema or database");
    }

    @Test
    void aColumnThatMayNotBeReadIsToldSo() {
        try (Rows rows = new Rows(url())) {
            rows.execute("revoke select on mortise_locks from worker");
            rows.execute("grant select (lock_key), insert, update, delete on mortise_locks to worker");
            cannotConnect(usersUrl(), "grant it");
        }
    }

    /** The server itself cannot be brought there without a disk of its own; a trigger says what it would say. */
    @Test
    void aFullTableIsToldAtOnceAndChangesNothing() {
        try (Client client = Client.open(url());
                Rows rows = new Rows(url())) {
            rows.execute("create trigger full_table before insert on mortise_locks for each row"
                    + " signal sqlstate 'HY000' set mysql_errno = 1114, message_text = 'the table is full'");
            isRefused(() -> tryAcquire(client.claim("a")), "make some");
            rows.execute("drop trigger full_table");
            assertThat(rows.names()).isZero();
            assertThat(tryAcquire(client.claim("a"))).isTrue();
        }
    }

    /** The row of the lock is made by one statement and the record of the grant by another. */
    @Test
    void whatIsRefusedAfterAPartWasDoneIsNoAnswer() {
        try (Rows rows = new Rows(url())) {
            giveBack(rows, "insert, update, delete");
            try (Client client = Client.open(usersUrl())) {
                rows.execute("revoke insert on mortise_locks_grants from worker");
                Claim claim = client.claim("a");
                assertThat(catchThrowable(() -> tryAcquire(claim)))
                        .isInstanceOfSatisfying(BackendException.class, unanswered -> assertThat(unanswered.kind())
                                .isEqualTo(BackendException.Kind.NO_ANSWER));
                assertThat(claim.release(ENOUGH)).isTrue();
            }
        }
    }
}
