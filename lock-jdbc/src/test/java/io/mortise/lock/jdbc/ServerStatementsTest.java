// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** The counts of the servers tell what the documentation says of acquiring and releasing. */
class ServerStatementsTest {
    private static final int CYCLES = 40;

    /** What a sweep may add, and MariaDB's own connection for the question. */
    private static final int OTHERS = 10;

    @Test
    void postgres() {
        try (PostgresServer server = PostgresServer.start(ServerStatements.POSTGRES_SETTING)) {
            assertThat(ofCycles(server.url(), ServerStatements::onPostgres)).isBetween(2 * CYCLES, 2 * CYCLES + OTHERS);
        }
    }

    @Test
    void mariaDb() {
        try (MariaDbServer server = MariaDbServer.start()) {
            assertThat(ofCycles(server.url(), ServerStatements::onMariaDb)).isBetween(2 * CYCLES, 2 * CYCLES + OTHERS);
        }
    }

    private static int ofCycles(String url, ToLongFunction<String> statements) {
        try (Client client = Client.open(url)) {
            client.held("a").release(Client.ENOUGH);
            long before = statements.applyAsLong(url);
            for (int i = 0; i < CYCLES; i++) {
                client.held("a").release(Client.ENOUGH);
            }
            return (int) (statements.applyAsLong(url) - before);
        }
    }
}
