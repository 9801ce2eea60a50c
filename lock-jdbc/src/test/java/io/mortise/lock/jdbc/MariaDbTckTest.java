// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.process.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MariaDbTckTest extends ServerTck {
    static MariaDbServer server;

    @BeforeAll
    static void start() {
        server = MariaDbServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    TestServer server() {
        return server;
    }

    @Override
    protected String store() {
        return server.url();
    }

    @Override
    String urlAt(String host, int port) {
        return server.urlAt(host, port);
    }
}
