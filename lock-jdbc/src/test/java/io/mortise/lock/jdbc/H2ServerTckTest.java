// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import java.nio.file.Path;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class H2ServerTckTest extends LockBackendTck {
    @TempDir
    static Path folder;

    static Server server;

    @BeforeAll
    static void start() throws Exception {
        server = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-ifNotExists", "-baseDir", folder.toString())
                .start();
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    @Override
    protected String store() {
        return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/./locks";
    }

    @Override
    protected LockBackend open(String store) {
        return new JdbcBackendProvider().open(StoreUrl.parse(store));
    }
}
