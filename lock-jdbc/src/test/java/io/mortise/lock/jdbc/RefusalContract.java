// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.LEASE;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a database refuses clearly is told at once with what to do, and work goes on when it is permitted again. */
abstract class RefusalContract {
    /** For a user who may do anything. */
    abstract String url();

    /** For a user who may just read and write the tables of the locks. */
    abstract String usersUrl();

    Client openAsUser(String table) {
        return Client.open(usersUrl() + "&mortise.table=" + table);
    }

    void userCannotConnect(String table, String why) {
        assertThatThrownBy(() -> openAsUser(table).close())
                .satisfies(refused -> assertThat((refused instanceof BackendException failure
                                        && failure.kind() == BackendException.Kind.REFUSED)
                                || refused instanceof LockConfigurationException)
                        .isTrue())
                .hasMessageContaining(why);
    }

    /** What the locks are kept in. */
    List<String> tables() {
        return List.of("mortise_locks", "mortise_locks_grants");
    }

    /** A statement for each table, since MariaDB takes no list. */
    void withdraw(Rows rows, String rights) {
        tables().forEach(table -> rows.execute("revoke " + rights + " on " + table + " from worker"));
    }

    void giveBack(Rows rows, String rights) {
        tables().forEach(table -> rows.execute("grant " + rights + " on " + table + " to worker"));
    }

    static void isRefused(ThrowingCallable call, String whatToDo) {
        assertThat(catchThrowable(call)).isInstanceOfSatisfying(BackendException.class, refused -> {
            assertThat(refused).hasMessageContaining(whatToDo);
            assertThat(refused.kind()).isEqualTo(BackendException.Kind.REFUSED);
        });
    }

    static void cannotConnect(String url, String why) {
        assertThatThrownBy(() -> LockClient.connect(url).close())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aPermissionThatIsWithdrawnIsToldAndWorkGoesOnWhenItIsBack() {
        try (Client admin = Client.open(url());
                Rows rows = new Rows(url())) {
            giveBack(rows, "select, insert, update, delete");
            try (Client client = openAsUser("mortise_locks")) {
                Claim held = client.held("a");
                Claim second = client.held("b");
                withdraw(rows, "insert, update");
                Claim other = client.claim("c");
                isRefused(() -> tryAcquire(other), "grant it");
                isRefused(() -> held.renew(LEASE, ENOUGH), "grant it");
                isRefused(
                        () -> client.backend.renewAll(Client.renewals(List.of(held, second), LEASE), ENOUGH),
                        "grant it");
                isRefused(() -> second.release(ENOUGH), "grant it");
                isRefused(() -> client.backend.revoke("a", "x", false, ENOUGH), "grant it");
                assertThat(tryAcquire(admin.claim("c")))
                        .as("nothing was changed")
                        .isTrue();
                userCannotConnect("mortise_locks", "grant it");
                giveBack(rows, "insert, update");
                assertThat(held.renew(LEASE, ENOUGH)).isTrue();
                assertThat(second.release(ENOUGH)).isTrue();
                assertThat(tryAcquire(client.claim("d"))).isTrue();
                withdraw(rows, "select");
                isRefused(() -> tryAcquire(client.claim("e")), "grant it");
                userCannotConnect("mortise_locks", "grant it");
                giveBack(rows, "select");
                withdraw(rows, "delete");
                userCannotConnect("mortise_locks", "grant it");
            }
        }
    }

    @Test
    void aDroppedTableIsToldAtOnce() {
        try (Client client = Client.open(url());
                Rows rows = new Rows(url())) {
            Claim held = client.held("a");
            rows.execute("drop table mortise_locks");
            isRefused(() -> tryAcquire(client.claim("b")), "missing");
            isRefused(() -> held.renew(LEASE, ENOUGH), "missing");
            Client.open(url()).close();
            assertThat(held.renew(LEASE, ENOUGH)).isFalse();
            assertThat(tryAcquire(client.claim("b"))).isTrue();
        }
    }

    @Test
    void aUserWhoMayNotMakeTheTablesIsToldSo() {
        userCannotConnect("nobody_made_it", whyNotMade());
    }

    String whyNotMade() {
        return "cannot be made";
    }
}
