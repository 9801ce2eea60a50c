// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.tck.servers.PostgresServer;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class PostgresGuardTest extends GuardContract {
    static PostgresServer server;

    /** Need not survive a crash of the machine: no commit waits for the disk. */
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
    void open() throws SQLException {
        Rows.dropTables(url());
        super.open();
    }

    @Override
    String url() {
        return server.url();
    }
}
