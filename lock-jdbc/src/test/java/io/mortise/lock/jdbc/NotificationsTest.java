// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.jdbc.connection.CachedConnections;
import io.mortise.lock.jdbc.connection.Connections;
import io.mortise.lock.jdbc.connection.DriverConnections;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.servers.PgBouncer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Waiters of PostgreSQL are told of releases, and wait no longer than others where they are not. */
@Timeout(120)
class NotificationsTest {
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofMinutes(1));

    static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static PGSimpleDataSource dataSource(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }

    private static LockClient client(JdbcBackend backend) {
        return LockClient.builder(backend).options(OPTIONS).build();
    }

    private static JdbcBackend open(String url) {
        return (JdbcBackend) new JdbcBackendProvider().open(StoreUrl.parse(url));
    }

    private static CompletableFuture<Duration> waiting(LockClient client, String lock) {
        return CompletableFuture.supplyAsync(() -> {
            try (Lease lease = client.lock(lock).acquire()) {
                return lease.remaining();
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        });
    }

    private static long connections(String query) {
        try (Rows rows = new Rows(server.url())) {
            return rows.number("select count(*) from pg_stat_activity where query ilike '" + query + "'");
        }
    }

    private static void awaitListener() {
        await().atMost(Client.ENOUGH).until(() -> connections("listen %") + connections("select 1") > 0);
    }

    /** Counts its calls. */
    private static final class Counted implements Connections {
        private final Connections connections;
        private final AtomicInteger calls = new AtomicInteger();

        Counted(Connections connections) {
            this.connections = connections;
        }

        @Override
        public <T> T with(Session.Work<T> work) throws SQLException {
            calls.incrementAndGet();
            return connections.with(work);
        }

        @Override
        public void close() {
            connections.close();
        }
    }

    @Test
    void waitersOfOneClientAskOnceASecondTogetherAndSeldomByThemselves() throws Exception {
        DriverConnections driver = new DriverConnections(server.url());
        Counted counted = new Counted(new CachedConnections(driver, TableSettings.DEFAULT));
        try (LockClient holder = client(open(server.url()));
                LockClient waiter =
                        client(JdbcBackend.connect(counted, TableSettings.DEFAULT, Optional.of(driver), ""))) {
            List<Lease> held = new ArrayList<>();
            List<CompletableFuture<Duration>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                held.add(holder.lock("n" + i).acquire());
                waiting.add(waiting(waiter, "n" + i));
            }
            awaitListener();
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            counted.calls.set(0);
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(8));
            // Together once a second; and each by itself after four seconds, since a notification can be lost.
            assertThat(counted.calls.get()).isLessThanOrEqualTo(8 + 2 * held.size());
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            held.forEach(Lease::close);
            for (CompletableFuture<Duration> each : waiting) {
                each.get(1, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void aBrokenConnectionMeansPollingAndAnotherConnection() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                LockClient holder = client(open(server.url()));
                LockClient waiter = client(open(server.urlAt(proxy.host(), proxy.port())))) {
            Lease held = holder.lock("a").acquire();
            CompletableFuture<Duration> waiting = waiting(waiter, "a");
            awaitListener();
            for (int cut = 0; cut < 3; cut++) {
                proxy.killConnections();
                held.close();
                waiting.get(2, TimeUnit.SECONDS);
                held = holder.lock("a").acquire();
                waiting = waiting(waiter, "a");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
            }
            held.close();
            waiting.get(1, TimeUnit.SECONDS);
        }
    }

    /** As behind a firewall that forgot the connection. */
    @Test
    void aLostNotificationCostsAtMostASafetyPoll() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            PGSimpleDataSource direct = dataSource(server.url());
            PGSimpleDataSource proxied = dataSource(server.urlAt(proxy.host(), proxy.port()));
            JdbcBackend backend =
                    JdbcBackend.builder(direct).notifications(proxied).build();
            assertThat(backend.features()).contains(Feature.PROMPT);
            try (LockClient holder = client(open(server.url()));
                    LockClient waiter = client(backend)) {
                Lease held = holder.lock("b").acquire();
                CompletableFuture<Duration> waiting = waiting(waiter, "b");
                await().atMost(Client.ENOUGH)
                        .until(() -> backend.listener().orElseThrow().areOn());
                proxy.freezeReplies();
                held.close();
                long start = System.nanoTime();
                waiting.get(10, TimeUnit.SECONDS);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
                proxy.heal();
            }
        }
    }

    /** A listening connection stays while somebody waits: those who gave up while the database was away are nobody. */
    @Test
    void aWaiterThatGivesUpWithoutTheDatabaseIsForgotten() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            PGSimpleDataSource direct = dataSource(server.url());
            PGSimpleDataSource proxied = dataSource(server.urlAt(proxy.host(), proxy.port()));
            JdbcBackend backend =
                    JdbcBackend.builder(proxied).notifications(direct).build();
            try (LockClient holder = client(open(server.url()));
                    Client waiter = new Client(backend)) {
                Lease held = holder.lock("d").acquire();
                List<Claim> waiting = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    Claim claim = backend.claim(
                            new ClaimRequest("d", Client.owner(), "", Client.LEASE, true, 0, 1), () -> {});
                    assertThat(Client.tryAcquire(claim)).isFalse();
                    waiting.add(claim);
                }
                Duration ofThree = backend.listener().orElseThrow().safetyPoll();
                proxy.cut();
                for (Claim claim : waiting) {
                    assertThatThrownBy(() -> claim.release(Duration.ofMillis(200)))
                            .isInstanceOf(BackendException.class);
                }
                assertThat(backend.listener().orElseThrow().safetyPoll()).isEqualTo(ofThree.dividedBy(3));
                proxy.heal();
                held.close();
                await("those who have left keep the lock for a moment")
                        .atMost(Duration.ofSeconds(3))
                        .until(() -> Client.tryAcquire(waiter.claim("d")));
            }
        }
    }

    @Test
    void aClientThatDoesNotWaitListensToNothing() throws Exception {
        try (LockClient client = client(open(server.url()))) {
            client.lock("c").acquire().close();
            assertThat(client.lock("c").tryAcquire()).isPresent();
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .doesNotContain("lock-jdbc-listener");
        }
    }

    @Test
    void behindPgBouncerThatPoolsTransactionsWaitersPoll() throws Exception {
        try (PgBouncer pooler = PgBouncer.inFrontOf(server);
                LockClient holder = client(open(pooler.url()));
                LockClient waiter = client(open(pooler.url() + "&mortise.table=mortise_locks"))) {
            assertThat(waiter.features()).doesNotContain(Feature.PROMPT).contains(Feature.FENCED);
            for (int round = 0; round < 20; round++) {
                Lease held = holder.lock("d").acquire();
                CompletableFuture<Duration> waiting = waiting(waiter, "d");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
                held.close();
                waiting.get(2, TimeUnit.SECONDS);
            }
            try (Rows other = new Rows(pooler.url())) {
                for (int i = 0; i < 6; i++) {
                    assertThat(other.handle()
                                    .createQuery(
                                            "select current_setting('lock_timeout') || current_setting('synchronous_commit')")
                                    .mapTo(String.class)
                                    .one())
                            .as("settings do not stay behind in connections that others use, too")
                            .isEqualTo("0on");
                }
            }
        }
    }

    @Test
    void notificationsCanBeTurnedOff() {
        try (JdbcBackend backend = open(server.url() + "&mortise.notifications=false")) {
            assertThat(backend.features()).doesNotContain(Feature.PROMPT);
        }
        PGSimpleDataSource pool = dataSource(server.url());
        try (JdbcBackend backend = JdbcBackend.of(pool)) {
            assertThat(backend.features())
                    .as("a connection of the application's is not kept unasked")
                    .doesNotContain(Feature.PROMPT);
        }
    }
}
