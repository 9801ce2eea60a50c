// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.fleet;

import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.tck.servers.process.ForwardingServer;
import io.mortise.lock.tck.servers.process.TestServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.h2.tools.Server;

/** From which store to which a fleet moves. */
enum StorePair {
    REDIS_TO_POSTGRES,
    ZOOKEEPER_TO_REDIS,
    MEMCACHED_TO_REDIS,
    H2_TO_POSTGRES,
    SQLITE_TO_POSTGRES,
    REDIS_TO_REDLOCK,
    REDLOCK_TO_ZOOKEEPER;

    /** The servers of a pair, and how clients name the stores. */
    static final class Opened implements AutoCloseable {
        private final List<TestServer> servers = new ArrayList<>();
        private final List<Runnable> closings = new ArrayList<>();
        private final String old;
        private final String young;
        private final String options;

        private Opened(StorePair pair, Path folder) {
            try {
                switch (pair) {
                    case REDIS_TO_POSTGRES -> {
                        old = opened(RedisServer.start()).url();
                        young = opened(PostgresServer.start()).url();
                    }
                    case ZOOKEEPER_TO_REDIS -> {
                        old = opened(ZooKeeperServer.start()).url();
                        young = durableRedis();
                    }
                    case MEMCACHED_TO_REDIS -> {
                        old = opened(MemcachedServer.start()).url();
                        young = durableRedis();
                    }
                    case H2_TO_POSTGRES -> {
                        old = h2(folder);
                        young = opened(PostgresServer.start()).url();
                    }
                    case SQLITE_TO_POSTGRES -> {
                        old = "jdbc:sqlite:" + folder.resolve("locks");
                        young = opened(PostgresServer.start()).url();
                    }
                    case REDIS_TO_REDLOCK -> {
                        old = durableRedis();
                        young = redlock();
                    }
                    case REDLOCK_TO_ZOOKEEPER -> {
                        old = redlock();
                        young = opened(ZooKeeperServer.start()).url();
                    }
                    default -> throw new IllegalArgumentException(pair.name());
                }
                options = pair == REDIS_TO_REDLOCK ? "?register=from" : "";
            } catch (RuntimeException | Error failure) {
                close();
                throw failure;
            }
        }

        private <S extends ForwardingServer> S opened(S server) {
            servers.add(server);
            closings.add(server::close);
            return server;
        }

        /** A database that several processes use over the network. */
        private String h2(Path folder) {
            try {
                Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", folder.toString())
                        .start();
                closings.add(server::stop);
                return "jdbc:h2:tcp://localhost:" + server.getPort() + "/locks";
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            }
        }

        private String durableRedis() {
            return opened(RedisServer.start("--appendonly", "yes", "--appendfsync", "always"))
                    .url();
        }

        private String redlock() {
            List<RedisServer> members = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                members.add(opened(RedisServer.start()));
            }
            return "redlock://"
                    + members.stream()
                            .map(member -> member.host() + ":" + member.port())
                            .collect(Collectors.joining(","))
                    + "?newQuorum=true";
        }

        /** For clients that know nothing of the migration. */
        String old() {
            return old;
        }

        /** For the others. */
        String migrating() {
            return "migrate:fleet" + options + " from " + old + " to " + young;
        }

        /** Those that can be paused. */
        List<TestServer> servers() {
            return servers;
        }

        @Override
        public void close() {
            closings.forEach(Runnable::run);
        }
    }

    Opened open(Path folder) {
        return new Opened(this, folder);
    }
}
