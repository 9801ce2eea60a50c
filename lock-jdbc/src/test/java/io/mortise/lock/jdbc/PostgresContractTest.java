// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.tck.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class PostgresContractTest extends JdbcContract {
    static PostgresServer server;

    /** Need not survive a crash of the machine, which makes thousands of names bearable. */
    @BeforeAll
    static void start() {
        server = PostgresServer.start("synchronous_commit=off");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    @Override
    void open() {
        Rows.dropTables(url());
        super.open();
    }

    @Override
    String url() {
        return server.url();
    }
}
