// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSourceConnectionsTest {
    @TempDir
    Path folder;

    private static HikariDataSource pool(String url, int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(size);
        pool.setAutoCommit(false);
        return pool;
    }

    @Test
    void aThousandLocksNeedNoConnectionsOfTheirOwn() throws Exception {
        for (String url : List.of(
                "jdbc:sqlite:" + folder.resolve("pool.db") + "?journal_mode=wal&synchronous=normal",
                "jdbc:h2:mem:" + UUID.randomUUID())) {
            try (HikariDataSource pool = pool(url, 2);
                    Client client = new Client(JdbcBackend.of(pool));
                    Connection callers = pool.getConnection()) {
                callers.createStatement().execute("select 1");
                List<Claim> claims = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    claims.add(client.held("n" + i));
                }
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isLessThanOrEqualTo(2);
                assertThat(client.backend.renewAll(Client.renewals(claims, Client.LEASE), ENOUGH))
                        .containsOnly(Answer.YES);
                for (Claim claim : claims) {
                    assertThat(claim.release(ENOUGH)).isTrue();
                }
                callers.rollback();
                assertThat(callers.getAutoCommit()).isFalse();
            }
        }
    }

    @Test
    void closingLeavesTheApplicationsPoolOpen() throws Exception {
        try (HikariDataSource pool = pool("jdbc:h2:mem:" + UUID.randomUUID(), 1)) {
            new Client(JdbcBackend.of(pool)).close();
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
    }
}
