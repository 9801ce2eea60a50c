// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.foreign.Promise;
import io.mortise.lock.tck.foreign.Promises;
import io.mortise.lock.tck.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks as ShedLock has them, put to more than ShedLock promises; that its clients are kept out is tried beside the other libraries. */
@Promises({
    Promise.EXCLUSION,
    Promise.CLOSING,
    Promise.LEASES,
    Promise.OWNERSHIP,
    Promise.OWNERSHIP_IN_ONE_CLIENT,
    Promise.TRUE_RELEASES,
    Promise.ENDED_IS_LOST,
    Promise.RENEWALS
})
class ShedLockFormatTckTest extends LockBackendTck {
    private static final Duration CALL = Duration.ofSeconds(5);

    private static PostgresServer server;

    @BeforeAll
    static void start() throws SQLException {
        server = PostgresServer.start();
        execute("create table shedlock (name varchar(64) not null primary key, lock_until timestamp not null,"
                + " locked_at timestamp not null, locked_by varchar(255) not null)");
        execute("create table zoned (name varchar(64) not null primary key, lock_until timestamptz not null,"
                + " locked_at timestamptz not null, locked_by varchar(255) not null)");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public String store() {
        return server.url() + "&mortise.format=shedlock";
    }

    @Override
    public LockBackend open(String store) {
        return new JdbcBackendProvider().open(StoreUrl.parse(store));
    }

    private static Claim claim(LockBackend backend, String lock) {
        return backend.claim(
                new ClaimRequest(lock, "0123456789abcdef".repeat(2), "Ann@db1", Duration.ofSeconds(30), false, 0, 1),
                () -> {});
    }

    @Test
    void aHolderWithShedLockIsKeptAndListed() throws Exception {
        execute(
                "insert into shedlock values ('theirs', timezone('utc', now()) + interval '30 s', timezone('utc', now()), 'host7')");
        try (LockBackend backend = open(store())) {
            Claim claim = claim(backend, "theirs");
            assertThat(claim.tryAcquire(CALL)).isFalse();
            assertThat(claim.release(CALL)).isFalse();
            Claim ours = claim(backend, "ours");
            assertThat(ours.tryAcquire(CALL)).isTrue();
            assertThat(backend.list("", "", 10, CALL))
                    .extracting(holder -> holder.lock() + " " + holder.label())
                    .contains("ours Ann@db1", "theirs host7");
            assertThat(backend.list("o", "", 10, CALL)).hasSize(1);
            assertThat(backend.list("", "ours", 10, CALL))
                    .extracting(holder -> holder.lock())
                    .containsExactly("theirs");
            assertThat(ours.release(CALL)).isTrue();
            assertThat(backend.inspect("ours", CALL)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"half \ud83d", "null \u0000", "x0123456789012345678901234567890123456789012345678901234567890123"
            })
    void aNameThatTheTableCannotHaveIsRefused(String name) {
        try (LockBackend backend = open(store())) {
            Claim claim = claim(backend, name);
            assertThatThrownBy(() -> claim.tryAcquire(CALL))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("up to 64 characters");
        }
    }

    @Test
    void whatIsNoTableOfShedLockIsRefused() {
        assertThatThrownBy(() -> open(store() + "&mortise.table=zoned"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("timestamps without a time zone");
        assertThatThrownBy(() -> open(store() + "&mortise.table=none"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("no table none");
        assertThatThrownBy(() -> open("jdbc:h2:mem:x;mortise.format=shedlock"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("is for PostgreSQL, not for H2");
        assertThatThrownBy(() -> open("jdbc:h2:mem:x;mortise.format=redisson"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("mortise or shedlock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mortise.clockFree", "mortise.notifications", "mortise.privateFile"})
    void anOptionWithoutEffectIsRefused(String option) {
        assertThatThrownBy(() -> open(store() + "&" + option + "=false"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("the option " + option + " does not go with mortise.format=shedlock");
    }

    @Test
    void aCommandThatMakesNoTableCanLook() throws Exception {
        try (LockBackend backend = open(store() + "&mortise.createSchema=false")) {
            assertThat(backend.inspect("nobody's", CALL)).isEmpty();
        }
    }
}
