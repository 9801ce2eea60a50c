// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2RefusalTest extends RefusalContract {
    @TempDir
    Path folder;

    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @BeforeEach
    void makeUser() {
        Client.open(url()).close();
        try (Rows rows = new Rows(url())) {
            rows.execute("create user worker password 'correct-horse'");
        }
    }

    @Override
    String url() {
        return database + ";USER=sa;PASSWORD=";
    }

    @Override
    String usersUrl() {
        return database + ";USER=worker;PASSWORD=correct-horse";
    }

    /** Over a data source: what the backend adds to a URL, only an administrator may set. */
    @Override
    Client openAsUser(String table) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(database.replace(";DB_CLOSE_DELAY=-1", ""));
        dataSource.setUser("worker");
        dataSource.setPassword("correct-horse");
        return new Client(JdbcBackend.builder(dataSource).table(table).build());
    }

    @Test
    void aUrlThatH2DoesNotTakeIsToldAtOnce() {
        cannotConnect("jdbc:h2:mem:x;NO_SUCH=1", "correct it");
        cannotConnect("jdbc:h2:mem:x;FOO", "correct it");
        cannotConnect("jdbc:h2:relative", "correct it");
        cannotConnect(usersUrl(), "Admin rights");
        cannotConnect(database + ";USER=worker;PASSWORD=wrong", "correct user and password");
        cannotConnect("jdbc:h2:file:" + folder.resolve("nosuch") + ";IFEXISTS=TRUE", "correct its name");
        cannotConnect(url() + ";SCHEMA=NOWHERE", "NOWHERE");
        cannotConnect(url() + ";mortise.table=nowhere.mortise_locks", "NOWHERE");
    }

    @Test
    void aServerThatMakesNoDatabasesSaysSo() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-baseDir", folder.toString())
                .start();
        try {
            cannotConnect("jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/./nosuch", "correct its name");
        } finally {
            server.stop();
        }
    }

    @Test
    void aDatabaseThatMayOnlyBeReadIsToldAtOnce() {
        String file = "jdbc:h2:file:" + folder.resolve("locks");
        Client.open(file).close();
        cannotConnect(file + ";ACCESS_MODE_DATA=r", "takes writes");
        try (Client client = Client.open(file)) {
            assertThat(tryAcquire(client.claim("a"))).isTrue();
        }
    }
}
