// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.mortise.lock.LockOptions;
import io.mortise.lock.bench.contestant.AdvisoryLocks;
import io.mortise.lock.bench.contestant.ConnectionPerThread;
import io.mortise.lock.bench.contestant.Contestant;
import io.mortise.lock.bench.contestant.CuratorLocks;
import io.mortise.lock.bench.contestant.MemcachedFloor;
import io.mortise.lock.bench.contestant.Mortise;
import io.mortise.lock.bench.contestant.RedisFloor;
import io.mortise.lock.bench.contestant.RedisRenewedFloor;
import io.mortise.lock.bench.contestant.RedisTokens;
import io.mortise.lock.bench.contestant.RedissonLocks;
import io.mortise.lock.bench.contestant.RedlockFloor;
import io.mortise.lock.bench.contestant.ShedLockSql;
import io.mortise.lock.bench.contestant.SpringRedisLocks;
import io.mortise.lock.bench.contestant.SpringSqlLocks;
import io.mortise.lock.bench.contestant.SqlFloor;
import io.mortise.lock.bench.contestant.ZooKeeperFloor;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.redisson.api.RedissonClient;
import redis.clients.jedis.HostAndPort;

/** A kind of store: its servers, and who takes part on it. The floor comes first: the fewest commands that a safe lock could send. */
enum Store {
    REDIS("Redis") {
        @Override
        Servers start() {
            RedisServer server = RedisServer.start();
            return new Servers(server.url(), List.of(server), server::requests);
        }

        @Override
        List<Entrant> entrants() {
            return List.of(
                    new Entrant("floor", false, url -> new RedisFloor(host(url), port(url))),
                    new Entrant("a token in a list", true, url -> new RedisTokens(host(url), port(url))),
                    new Entrant("Redisson RLock", true, RedissonLocks::new),
                    Entrant.inOrder("Redisson RFairLock", url -> new RedissonLocks(url, RedissonClient::getFairLock)),
                    new Entrant("Spring RedisLockRegistry", true, url -> new SpringRedisLocks(host(url), port(url))));
        }

        @Override
        List<Entrant> renewing() {
            return List.of(
                    new Entrant("keys prolonged together", false, url -> new RedisRenewedFloor(host(url), port(url))),
                    new Entrant("Redisson RLock", true, RedissonLocks::new),
                    ours());
        }
    },

    REDLOCK("Redlock") {
        @Override
        Servers start() {
            List<RedisServer> servers =
                    IntStream.range(0, 5).mapToObj(i -> RedisServer.start()).toList();
            return new Servers(
                    "redlock://"
                            + String.join(
                                    ",",
                                    servers.stream()
                                            .map(server -> server.host() + ":" + server.port())
                                            .toList())
                            + "?newQuorum=true",
                    servers);
        }

        @Override
        List<Entrant> entrants() {
            return List.of(new Entrant(
                    "floor",
                    false,
                    url -> new RedlockFloor(Stream.of(url.substring("redlock://".length(), url.indexOf('?'))
                                    .split(","))
                            .map(HostAndPort::from)
                            .toList())));
        }
    },

    ZOOKEEPER("ZooKeeper") {
        @Override
        Servers start() {
            ZooKeeperServer server = ZooKeeperServer.start();
            // Each look is counted as one, too.
            AtomicLong looks = new AtomicLong();
            return new Servers(
                    server.url(),
                    List.of(server),
                    () -> server.counter("zk_packets_received") - looks.incrementAndGet());
        }

        @Override
        List<Entrant> entrants() {
            return List.of(
                    new Entrant(
                            "floor",
                            true,
                            url -> new ZooKeeperFloor(URI.create(url).getAuthority())),
                    new Entrant(
                            "Curator InterProcessMutex",
                            true,
                            url -> new CuratorLocks(URI.create(url).getAuthority())));
        }
    },

    MEMCACHED("memcached") {
        @Override
        Servers start() {
            MemcachedServer server = MemcachedServer.start();
            return new Servers(server.url(), List.of(server));
        }

        @Override
        List<Entrant> entrants() {
            return List.of(new Entrant("floor", false, url -> new MemcachedFloor(host(url), port(url))));
        }
    },

    POSTGRESQL("PostgreSQL") {
        @Override
        Servers start() {
            PostgresServer server = PostgresServer.start("fsync=on", "synchronous_commit=on", "max_connections=200");
            return new Servers(server.url(), List.of(server));
        }

        @Override
        List<Entrant> entrants() {
            return List.of(
                    new Entrant("floor", false, url -> new SqlFloor(pool(url))),
                    new Entrant("advisory locks", true, url -> new AdvisoryLocks(pool(url))),
                    new Entrant("ShedLock JDBC", false, url -> new ShedLockSql(pool(url))),
                    new Entrant("Spring JdbcLockRegistry", true, url -> new SpringSqlLocks(pool(url))));
        }
    },

    MARIADB("MariaDB") {
        @Override
        Servers start() {
            MariaDbServer server = MariaDbServer.start();
            return new Servers(server.url(), List.of(server));
        }

        @Override
        List<Entrant> entrants() {
            return onSql();
        }
    },

    H2("H2") {
        @Override
        Servers start() {
            return new Servers("jdbc:h2:mem:bench;DB_CLOSE_DELAY=-1", List.of());
        }

        @Override
        List<Entrant> entrants() {
            return onSql();
        }
    },

    SQLITE("SQLite") {
        @Override
        Servers start() throws IOException {
            return new Servers(
                    "jdbc:sqlite:" + Files.createTempDirectory("bench").resolve("locks.db"), List.of());
        }

        @Override
        List<Entrant> entrants() {
            return List.of(new Entrant(
                    "floor",
                    false,
                    url -> new SqlFloor(
                            new ConnectionPerThread(url + "?journal_mode=WAL&synchronous=NORMAL&busy_timeout=10000"))));
        }
    };

    private static final int CONNECTIONS = 16;
    static final String OURS = "Mortise";

    private final String title;

    Store(String title) {
        this.title = title;
    }

    /** Starts its servers. */
    abstract Servers start() throws Exception;

    /** All others, the floor first. */
    abstract List<Entrant> entrants();

    /** Those that renew what is held, the reference first; nobody where there is no reference. */
    List<Entrant> renewing() {
        return List.of();
    }

    static Entrant ours() {
        return new Entrant(OURS, true, url -> new Mortise(url, LockOptions.defaults()));
    }

    /** Everybody; ours last. */
    List<Entrant> everybody() {
        LockOptions strict = LockOptions.defaults().withLocalHandOvers(0);
        return Stream.concat(
                        entrants().stream(),
                        Stream.of(ours(), Entrant.inOrder("Mortise, strict order", url -> new Mortise(url, strict))))
                .toList();
    }

    Contestant open(String entrant, String url) throws Exception {
        return everybody().stream()
                .filter(each -> each.name().equals(entrant))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nobody is called " + entrant))
                .opener()
                .open(url);
    }

    String title() {
        return title;
    }

    /**
     * What runs while a store is measured.
     *
     * @param url of the store
     * @param parts to close
     * @param requests how many the store has counted
     */
    record Servers(String url, List<? extends AutoCloseable> parts, LongSupplier requests) implements AutoCloseable {
        /** Of a store whose requests nobody counts. */
        Servers(String url, List<? extends AutoCloseable> parts) {
            this(url, parts, () -> {
                throw new IllegalStateException("nobody counts the requests to " + url);
            });
        }

        @Override
        public void close() throws Exception {
            for (AutoCloseable part : parts) {
                part.close();
            }
        }
    }

    private static List<Entrant> onSql() {
        return List.of(
                new Entrant("floor", false, url -> new SqlFloor(pool(url))),
                new Entrant("ShedLock JDBC", false, url -> new ShedLockSql(pool(url))),
                new Entrant("Spring JdbcLockRegistry", true, url -> new SpringSqlLocks(pool(url))));
    }

    private static String host(String url) {
        return URI.create(url).getHost();
    }

    private static int port(String url) {
        return URI.create(url).getPort();
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }
}
