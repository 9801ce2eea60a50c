// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.costs;

import io.mortise.lock.tck.servers.EtcdServer;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A kind of store, and what was recorded of it for one lock that nobody else wants: for one of many, and for the first. */
enum Store {
    MEMORY(2_060, 0, 4_000, 1_310) {
        @Override
        Running start() {
            return new Running("memory:costs", () -> 0, List.of());
        }
    },

    REDIS(9_960, 11, 17_900, 1_840) {
        @Override
        Running start() {
            RedisServer server = RedisServer.start();
            return new Running(server.url(), server::requests, List.of(server));
        }
    },

    REDLOCK(61_000, 55, 79_500, 2_390) {
        @Override
        Running start() {
            List<RedisServer> servers =
                    IntStream.range(0, 5).mapToObj(i -> RedisServer.start()).toList();
            String addresses = servers.stream()
                    .map(server -> server.host() + ":" + server.port())
                    .collect(Collectors.joining(","));
            return new Running(
                    "redlock://" + addresses + "?newQuorum=true",
                    () -> servers.stream().mapToLong(RedisServer::requests).sum(),
                    servers);
        }
    },

    ZOOKEEPER(19_300, 3, 26_500, 2_250) {
        @Override
        Running start() {
            ZooKeeperServer server = ZooKeeperServer.start();
            return new Running(server.url(), () -> server.counter("zk_packets_received"), List.of(server));
        }
    },

    ETCD(284_000, 4, 121_000, 1_690) {
        @Override
        Running start() {
            EtcdServer server = EtcdServer.start();
            return new Running(server.url(), server::requests, List.of(server));
        }
    },

    MEMCACHED(14_200, 2, 16_600, 1_800) {
        @Override
        Running start() {
            MemcachedServer server = MemcachedServer.start();
            return new Running(
                    server.url(), () -> server.counter("cmd_get") + server.counter("cmd_set"), List.of(server));
        }
    },

    POSTGRESQL(6_300, 2, 8_200, 2_300) {
        @Override
        Running start() {
            PostgresServer server = PostgresServer.start("shared_preload_libraries=pg_stat_statements");
            return new Running(
                    server.url(),
                    () -> number(
                            server.url(),
                            "create extension if not exists pg_stat_statements",
                            "select coalesce(sum(calls), 0) from pg_stat_statements"
                                    + " where query not ilike '%pg_stat_statements%'"),
                    List.of(server));
        }
    },

    MARIADB(7_000, 2, 8_100, 2_200) {
        @Override
        Running start() {
            MariaDbServer server = MariaDbServer.start();
            return new Running(
                    server.url(),
                    () -> number(
                            server.url(),
                            "set @unused = 0",
                            "select variable_value from information_schema.global_status"
                                    + " where variable_name = 'questions'"),
                    List.of(server));
        }
    },

    H2(30_000, 0, 0, 2_480) {
        @Override
        Running start() {
            return new Running("jdbc:h2:mem:costs", () -> 0, List.of());
        }
    },

    SQLITE(7_200, 0, 0, 1_990) {
        @Override
        Running start() throws IOException {
            return new Running(
                    "jdbc:sqlite:" + Files.createTempDirectory("costs").resolve("locks.db"), () -> 0, List.of());
        }
    };

    /** How often the store has been asked for something until now, by its own count. */
    interface Requests {
        long count() throws SQLException;
    }

    /**
     * A store that runs.
     *
     * @param parts to close
     */
    record Running(String url, Requests requests, List<? extends AutoCloseable> parts) implements AutoCloseable {
        @Override
        public void close() throws Exception {
            for (AutoCloseable part : parts) {
                part.close();
            }
        }
    }

    /** How many bytes this process allocates, on JDK 17 and as the first compiler of the JVM compiles. */
    final long bytes;

    /** How many commands, those of scripts included, statements or packets; 0 where the store does not count. */
    final double requests;

    /** How many instructions of bytecode our classes and those of the client library execute; 0 where a thread waits awake. */
    final long instructions;

    /** How many classes a process loads that takes a first lock, is refused it once, asks who has it, and ends; on JDK 17. */
    final int classes;

    Store(long bytes, double requests, long instructions, int classes) {
        this.bytes = bytes;
        this.requests = requests;
        this.instructions = instructions;
        this.classes = classes;
    }

    abstract Running start() throws IOException;

    private static long number(String url, String before, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(before);
            try (ResultSet answer = statement.executeQuery(query)) {
                answer.next();
                return answer.getLong(1);
            }
        }
    }
}
