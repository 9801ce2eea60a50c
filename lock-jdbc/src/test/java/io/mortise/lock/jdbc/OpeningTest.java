// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.jdbc.connection.CachedConnections;
import io.mortise.lock.jdbc.connection.ConnectionOpener;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpeningTest {
    @TempDir
    Path folder;

    private final String memory = "jdbc:h2:mem:" + UUID.randomUUID();

    private static String everythingPrinted(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    @Test
    void tablesAreNamespaces() {
        try (Client one = Client.open(memory + "?mortise.table=one_locks".replace('?', ';'));
                Client two = Client.open(memory + ";mortise.table=two_locks")) {
            one.held("a");
            two.held("a");
            assertThat(one.backend.list("", "", 9, ENOUGH)).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a;drop", "", "1a", "a.b.c", "\"a\""})
    void tableNamesThatCouldBeSqlAreRefused(String table) {
        assertThatThrownBy(() -> JdbcBackend.builder(new JdbcDataSource()).table(table))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("letters, digits");
    }

    @Test
    void aMissingTableIsAClearErrorAtConnect() {
        assertThatThrownBy(() -> Client.open(memory + ";mortise.createSchema=false"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("PUBLIC.MORTISE_LOCKS")
                .hasMessageContaining("schema/h2.sql");
        assertThatThrownBy(() -> Client.open(memory + ";mortise.createSchema=perhaps"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("true or false");
    }

    /** Two clients that make the tables at once may be in each other's way, where transactions are serializable. */
    @Test
    void aTransactionThatIsRolledBackForAnotherIsRepeatedAtConnect() {
        AtomicInteger connections = new AtomicInteger();
        ConnectionOpener opener = () -> {
            if (connections.incrementAndGet() == 1) {
                throw new SQLTransactionRollbackException("a deadlock", "40001");
            }
            return DriverManager.getConnection(memory);
        };
        JdbcBackend.connect(
                        new CachedConnections(opener, TableSettings.DEFAULT),
                        TableSettings.DEFAULT,
                        Optional.empty(),
                        "")
                .close();
        assertThat(connections).hasValue(2);
    }

    @Test
    void anotherVersionsTableIsAClearErrorAtConnect() {
        Client creator = Client.open(memory);
        try (creator;
                Rows rows = new Rows(memory)) {
            rows.execute("alter table mortise_locks drop column revoked");
            assertThatThrownBy(() -> Client.open(memory))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("REVOKED");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite::memory:",
                "jdbc:sqlite:",
                "jdbc:sqlite:file:x?mode=memory&cache=shared",
                "jdbc:h2:mem:"
            })
    void databasesOfOneConnectionAreRefused(String url) {
        assertThatThrownBy(() -> Client.open(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("of its own");
    }

    @Test
    void noDriverIsAClearError() {
        assertThatThrownBy(() -> Client.open("jdbc:nosuch://host/db?user=me&password=geheim"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("no JDBC driver for jdbc:nosuch://host***")
                .satisfies(failure -> assertThat(everythingPrinted(failure)).doesNotContain("geheim"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:tcp://127.0.0.1:1/x;USER=me;PASSWORD=geheim",
                "jdbc:h2:/no/such/folder/x;IFEXISTS=TRUE;USER=me;PASSWORD=geheim",
                "jdbc:h2:mem:x;NO_SUCH=1;PASSWORD=geheim",
                "jdbc:h2:tcp://me:geheim@127.0.0.1:1/x",
                "jdbc:postgresql://me:geheim@127.0.0.1:1/x",
                "jdbc:mariadb://me:geheim@127.0.0.1:1/x",
                "jdbc:mariadb:sequential://h1,me:geheim@127.0.0.1:1/x",
                "jdbc:postgresql://me:a/geheim@127.0.0.1:1/x",
                "jdbc:postgresql://127.0.0.1:1/a/b?password=geheim",
                "jdbc:postgresql://127.0.0.1:1/x?password=geheim%zz",
                "jdbc:h2:mem:x;PASSWORD=a;geheim",
                "jdbc:mariadb://127.0.0.1:1/x?password=a,geheim;b",
            })
    void passwordsAreNeverPrinted(String url) {
        assertThat(everythingPrinted(catchThrowable(() -> Client.open(url)))).doesNotContain("geheim");
    }

    /** Its driver logs, at the level WARNING, each URL that it cannot read, and at FINE every other one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://me:a/geheim@127.0.0.1:1/x",
                "jdbc:postgresql://127.0.0.1:1/a/b?password=geheim",
                "jdbc:postgresql://127.0.0.1:1/x?user=me&password=geheim&sslpassword=geheim"
            })
    void passwordsAreNeverLoggedByTheDriverOfPostgres(String url) {
        Logger driver = Logger.getLogger("org.postgresql");
        StringBuffer logged = new StringBuffer();
        Handler recorder = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord entry) {
                logged.append(new SimpleFormatter().format(entry));
            }
        };
        Level before = driver.getLevel();
        driver.addHandler(recorder);
        driver.setLevel(Level.ALL);
        try {
            assertThatThrownBy(() -> Client.open(url)).hasMessageNotContaining("no JDBC driver");
        } finally {
            driver.removeHandler(recorder);
            driver.setLevel(before);
        }
        assertThat(logged.toString()).doesNotContain("geheim");
    }

    @Test
    void aUrlThatADriverCannotReadIsNotCalledOneWithoutDriver() {
        assertThatThrownBy(() -> Client.open("jdbc:mariadb:127.0.0.1/x?password=geheim"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("cannot read the URL")
                .hasMessageContaining("%2F");
    }

    @Test
    void ownersAreNeverPrinted() {
        try (Client client = Client.open(memory);
                Rows rows = new Rows(memory)) {
            String owner = Client.owner();
            LockBackend backend = client.backend;
            var claim = backend.claim(
                    new io.mortise.lock.spi.ClaimRequest("a", owner, "me", Duration.ofSeconds(9), false, 0, 1),
                    () -> {});
            rows.execute("drop table mortise_locks");
            Throwable failure = catchThrowable(() -> claim.tryAcquire(ENOUGH));
            assertThat(everythingPrinted(failure)).contains("MORTISE_LOCKS").doesNotContain(owner);
        }
    }

    @Test
    void connectingEndsAtItsTime() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x?mortise.connectTimeout=";
            assertThat(CompletableFuture.supplyAsync(() -> catchThrowable(() -> Client.open(url + "300ms"))))
                    .succeedsWithin(Duration.ofSeconds(10))
                    .satisfies(failure -> assertThat(failure)
                            .isInstanceOf(BackendException.class)
                            .hasMessageContaining("within 300 ms"));
            assertThatThrownBy(() -> Client.open(url + "0s"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("positive");
        }
    }

    @Test
    void theFileOfSqliteIsForItsUserOnly() throws Exception {
        Path file = folder.resolve("locks.db");
        try (Client client = Client.open("jdbc:sqlite:" + file)) {
            client.held("a");
            assertThat(client.backend.safetyLevel()).isEqualTo(SafetyLevel.DURABLE);
            for (Path part : new Path[] {file, Path.of(file + "-wal"), Path.of(file + "-shm")}) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
                        .as(part.toString())
                        .isEqualTo("rw-------");
            }
        }
    }

    @Test
    void h2InMemoryOutlivesItsClients() {
        try (Client client = Client.open(memory)) {
            client.held("a");
            assertThat(client.backend.safetyLevel()).isEqualTo(SafetyLevel.SINGLE_STORE);
        }
        try (Client client = Client.open(memory)) {
            assertThat(Client.tryAcquire(client.claim("a"))).isFalse();
        }
    }

    @Test
    void h2OnDiskCommitsAtOnce() {
        String url = "jdbc:h2:file:" + folder.resolve("locks");
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        assertThatThrownBy(() -> JdbcBackend.of(dataSource))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("WRITE_DELAY=0");
        dataSource.setURL(url + ";WRITE_DELAY=0");
        JdbcBackend.of(dataSource).close();
        try (Client client = Client.open(url);
                Rows rows = new Rows(url)) {
            assertThat(client.backend.safetyLevel()).isEqualTo(SafetyLevel.DURABLE);
            assertThat(rows.handle()
                            .createQuery("select setting_value from information_schema.settings"
                                    + " where setting_name = 'WRITE_DELAY'")
                            .mapTo(String.class)
                            .list())
                    .containsOnly("0");
        }
        try (Client client = Client.open(url + "auto;AUTO_SERVER=TRUE")) {
            assertThat(client.backend.leaseBounds().allow(Duration.ofSeconds(14)))
                    .isFalse();
            assertThat(client.backend.leaseBounds().allow(Duration.ofSeconds(15)))
                    .isTrue();
        }
    }

    @Test
    void anH2DatabaseWithACollationIsRefused() {
        String url = memory + ";DB_CLOSE_DELAY=-1";
        try (Rows rows = new Rows(url)) {
            rows.execute("set collation english strength primary");
            assertThatThrownBy(() -> Client.open(url))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("COLLATION");
        }
    }
}
