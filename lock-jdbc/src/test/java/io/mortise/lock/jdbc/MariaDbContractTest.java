// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.tck.servers.MariaDbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class MariaDbContractTest extends JdbcContract {
    static MariaDbServer server;

    /** Need not survive a crash of the machine, which makes thousands of names bearable. */
    @BeforeAll
    static void start() {
        server = MariaDbServer.start("--innodb-flush-log-at-trx-commit=2");
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
