// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.RedisCluster;
import io.mortise.lock.tck.servers.RedisSentinels;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each kind of store lets a client in whose password is in a file or in a variable, and keeps out one with another password; neither logs nor
 * exceptions show either.
 */
class StorePasswordsTest {
    /** Maven sets it. */
    private static final String VARIABLE = "STORE_PASSWORD";

    private static final String PASSWORD =
            Objects.requireNonNull(System.getenv(VARIABLE), "set the variable " + VARIABLE);
    private static final String WRONG = "c0rrect/batt3ry@stapl3";

    private static final Logger ROOT = Logger.getLogger("");

    @TempDir
    private Path directory;

    private final StringBuffer logged = new StringBuffer();
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.append(new SimpleFormatter().format(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private @Nullable Level level;

    @BeforeEach
    void record() {
        level = ROOT.getLevel();
        ROOT.addHandler(recorder);
        ROOT.setLevel(Level.ALL);
    }

    @AfterEach
    void recordNoMore() {
        ROOT.removeHandler(recorder);
        ROOT.setLevel(level);
    }

    @Test
    void postgres() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            execute(server.url(), "create role app superuser login password '" + PASSWORD + "'");
            String file = execute(server.url(), "show hba_file");
            execute(
                    server.url(),
                    "copy (values ('host all app all scram-sha-256'), ('host all all all trust')) to '" + file + "'");
            execute(server.url(), "select pg_reload_conf()");
            String url = server.url().replaceFirst("user=.*", "user=app");
            await().atMost(Duration.ofMinutes(1)).until(() -> !isOpen(url));
            check(url + "&");
        }
    }

    @Test
    void mariaDb() throws Exception {
        try (MariaDbServer server = MariaDbServer.start()) {
            execute(server.url(), "set password = password('" + PASSWORD + "')");
            check(server.url().replaceFirst("&password=.*", "&"));
        }
    }

    @Test
    void h2() throws Exception {
        check("jdbc:h2:" + directory.resolve("h2") + ";USER=sa;");
    }

    @Test
    void memcached() throws Exception {
        try (MemcachedServer server = MemcachedServer.startWithPassword("app", PASSWORD)) {
            check(withUser(server.url()) + "?");
        }
    }

    /** Who has another password is another user, who may not touch the nodes of the first. */
    @Test
    void zooKeeper() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            check(withUser(server.url()) + "?");
        }
    }

    @Test
    void redlock() throws Exception {
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start();
                RedisServer three = RedisServer.start()) {
            String hosts = String.join(
                    ",",
                    addUser(List.of(one, two, three)).stream()
                            .map(server -> server.host() + ":" + server.port())
                            .toList());
            check("redlock://app@" + hosts + "?newQuorum=true&");
        }
    }

    @Test
    void sentinel() throws Exception {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            addUser(sentinels.servers());
            check(withUser(sentinels.url()) + "?");
        }
    }

    @Test
    void cluster() throws Exception {
        try (RedisCluster cluster = RedisCluster.start()) {
            addUser(cluster.nodes());
            check(withUser(cluster.url()) + "?");
        }
    }

    /** {@code url} ends so that an option can follow. */
    private void check(String url) throws Exception {
        logged.setLength(0);
        for (String option : List.of("mortise.passwordFile=" + file(PASSWORD), "mortise.passwordEnv=" + VARIABLE)) {
            try (LockClient locks = LockClient.connect(url + option);
                    Lease lease = locks.lock("a").acquire()) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(locks.toString()).doesNotContain(PASSWORD);
            }
        }
        Throwable refusal = catchThrowable(() -> {
            try (LockClient locks = LockClient.connect(url + "mortise.passwordFile=" + file(WRONG))) {
                locks.lock("a").acquire().release();
            }
        });
        assertThat(refusal).isInstanceOf(LockConfigurationException.class);
        StringWriter seen = new StringWriter();
        refusal.printStackTrace(new PrintWriter(seen, true));
        Thread.getAllStackTraces().keySet().forEach(thread -> seen.append(thread.getName()));
        seen.append(logged);
        for (String password : List.of(PASSWORD, WRONG)) {
            assertThat(seen.toString()).doesNotContain(password.split("[/@]"));
        }
    }

    private Path file(String password) throws Exception {
        Path file = Files.writeString(directory.resolve("password" + password.hashCode()), password + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static String withUser(String url) {
        return url.replace("//", "//app@");
    }

    private static List<RedisServer> addUser(List<RedisServer> servers) {
        servers.forEach(server -> server.command("ACL", "SETUSER", "app", "on", ">" + PASSWORD, "~*", "&*", "+@all"));
        return servers;
    }

    private static String execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet rows = statement.getResultSet()) {
                rows.next();
                return String.valueOf(rows.getString(1));
            }
        }
    }

    private static boolean isOpen(String url) {
        try {
            execute(url, "select 1");
            return true;
        } catch (SQLException refused) {
            return false;
        }
    }
}
