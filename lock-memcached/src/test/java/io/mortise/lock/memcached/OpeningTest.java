// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import static io.mortise.lock.memcached.item.Claims.AMPLE;
import static io.mortise.lock.memcached.item.Claims.claim;
import static io.mortise.lock.memcached.item.Claims.open;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.memcached.item.Keys;
import io.mortise.lock.memcached.item.MemcachedClaim;
import io.mortise.lock.memcached.log.DriverLogger;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.HostAndPort;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import net.spy.memcached.BinaryConnectionFactory;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.ConnectionFactoryBuilder.Protocol;
import net.spy.memcached.MemcachedClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OpeningTest {
    private static final Duration LEASE = Duration.ofSeconds(20);

    static MemcachedServer server;

    @BeforeAll
    static void start() {
        DriverLogger.install(); // before a test makes a client of its own, whose logger would stay
        server = MemcachedServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aUrlOpensAClient() throws Exception {
        try (LockClient locks = LockClient.connect(server.url() + "/?mortise.lease=5s")) {
            locks.lock("lock").run(lease -> assertThat(lease.isHeld()).isTrue());
        }
    }

    @Test
    void aWrongUrlIsRefusedWithoutShowingItsPassword() {
        Map<String, String> wrong = Map.ofEntries(
                entry("memcached:x", "no path"),
                entry("memcached:", "names no server"),
                entry("memcached://", "names no server"),
                entry("memcached://h:1,h:1", "twice"),
                entry("memcached://ann:sesame@h:0", "not a host and a port"),
                entry("memcached://ann:sesame", "'ann:…' is not a host and a port"),
                entry("memcached://ann:sesame@h:99999", "not a host and a port"),
                entry("memcached://ann:sesame@h::1", "not a host and a port"),
                entry("memcached://ann:sesame@localhost/path", "no path"),
                entry("memcached://ann:sesame@nowhere.invalid", "no address"),
                entry("memcached://ann:sesame@localhost?prefix=a%20b", "prefix"),
                entry("memcached://ann:sesame@localhost?prefixes=a", "unknown option"));
        wrong.forEach((url, why) -> assertThatThrownBy(() -> LockClient.connect(url))
                .as(url)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("sesame"));
    }

    @Test
    void hostsMayLackAPortOrBeIpv6Addresses() {
        assertThat(HostAndPort.parseAll(List.of("h1", "my_host:1", "[::1]:2", "[fe80::1]"), 11211))
                .containsExactly(
                        new HostAndPort("h1", 11211),
                        new HostAndPort("my_host", 1),
                        new HostAndPort("::1", 2),
                        new HostAndPort("fe80::1", 11211));
    }

    @Test
    void leasesOutOfBoundsAreRefusedWithTheBounds() {
        try (LockClient locks = LockClient.connect(server.url())) {
            for (Duration lease : List.of(
                    Duration.ofMillis(999),
                    Duration.ofDays(30),
                    Duration.ofDays(30).minusMillis(1999))) {
                assertThatThrownBy(
                                () -> locks.lock("lock", LockOptions.defaults().withLease(lease)))
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("PT1S")
                        .hasMessageContaining("PT719H59M58S");
            }
        }
    }

    @Test
    void prefixesKeepClientsApart() throws Exception {
        try (LockBackend plain = open(server.url());
                LockBackend ours = open(server.url() + "?prefix=shop1.")) {
            assertThat(claim(plain, "apart", LEASE).tryAcquire(AMPLE)).isTrue();
            assertThat(claim(ours, "apart", LEASE).tryAcquire(AMPLE)).isTrue();
            assertThat(claim(ours, "apart", LEASE).tryAcquire(AMPLE)).isFalse();
            assertThat(server.command("get " + new Keys("shop1.").lock("apart")))
                    .hasSize(3);
        }
    }

    @Test
    void aClosedClientThrowsAndLeavesNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        LockBackend backend = open(server.url());
        MemcachedClaim claim = claim(backend, "closed", LEASE);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);

        backend.close();
        backend.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().contains("memcached"))
                .allMatch(before::contains);
        assertThatThrownBy(() -> claim.renew(LEASE, AMPLE)).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> backend.inspect("closed", AMPLE)).isInstanceOf(BackendException.class);
    }

    @Test
    void closingTheClientEndsAWaitingCall() throws Exception {
        LockBackend backend = open(server.url());
        MemcachedClaim claim = claim(backend, "waiting", LEASE);
        assertThat(claim.release(AMPLE)).isFalse();
        server.pause();
        Thread waiting = new Thread(() -> claim.release(Duration.ofMinutes(5)));
        waiting.setUncaughtExceptionHandler((thread, expected) -> {});
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        backend.close();
        server.resume();

        waiting.join(5_000);
        assertThat(waiting.isAlive()).isFalse();
    }

    @Test
    void anApplicationsClientStaysOpen() throws Exception {
        InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
        MemcachedClient client = new MemcachedClient(new BinaryConnectionFactory(), List.of(address));
        try (LockBackend others = open(server.url())) {
            MemcachedBackend backend = MemcachedBackend.builder(client).build();
            MemcachedClaim claim = claim(backend, "borrowed", LEASE);
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            assertThat(claim(others, "borrowed", LEASE).tryAcquire(AMPLE)).isFalse();
            backend.close();

            assertThatThrownBy(() -> claim.renew(LEASE, AMPLE)).isInstanceOf(BackendException.class);
            assertThat(client.set("its own", 100, "value").get()).isTrue();
            assertThat(client.get("its own")).isEqualTo("value");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void aLockClientWorksOverAnApplicationsClient() throws Exception {
        List<InetSocketAddress> addresses = List.of(new InetSocketAddress(server.host(), server.port()));
        MemcachedClient client = new MemcachedClient(
                new ConnectionFactoryBuilder()
                        .setProtocol(Protocol.BINARY)
                        .setMaxReconnectDelay(1)
                        .build(),
                addresses);
        LockClient locks = LockClient.builder(MemcachedBackend.of(client)).build();
        try {
            assertThat(locks.lock("over").call(Lease::isHeld)).isTrue();
        } finally {
            locks.close();
            client.shutdown();
        }
    }

    @Test
    void anApplicationsClientThatWasShutDownIsReportedAsClosed() throws Exception {
        InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
        MemcachedClient client = new MemcachedClient(new BinaryConnectionFactory(), List.of(address));
        try (LockBackend backend = MemcachedBackend.of(client)) {
            client.shutdown();
            assertThatThrownBy(() -> claim(backend, "lock", LEASE).tryAcquire(Duration.ofMinutes(5)))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void aClientOfTheTextProtocolIsRefused() throws Exception {
        InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
        MemcachedClient client = new MemcachedClient(
                new ConnectionFactoryBuilder().setProtocol(Protocol.TEXT).build(), List.of(address));
        try {
            assertThatThrownBy(() -> MemcachedBackend.of(client))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("binary");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void theBackendLogsEvictionsAndLostConnectionsAndTheDriverNothing() throws Exception {
        Set<String> driver = ConcurrentHashMap.newKeySet();
        Set<String> ours = ConcurrentHashMap.newKeySet();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord said) {
                String text = new java.util.logging.SimpleFormatter().formatMessage(said);
                (said.getLoggerName().startsWith("net.spy") ? driver : ours).add(said.getLevel() + " " + text);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        root.addHandler(handler);
        try (MemcachedServer full = MemcachedServer.start("-m", "2", "-I", "512k")) {
            String value = "x".repeat(100_000);
            while (full.counter("evictions") == 0) {
                full.command("set filler" + full.counter("cmd_set") + " 0 0 100000\n" + value);
            }
            String address = full.host() + ":" + full.port();
            try (LockBackend backend = open(full.url())) {
                assertThat(claim(backend, "lock", LEASE).tryAcquire(AMPLE)).isTrue();
                full.kill();
                assertThatThrownBy(() -> claim(backend, "lock", LEASE).tryAcquire(AMPLE.dividedBy(5)))
                        .isInstanceOf(BackendException.class);
                await().untilAsserted(() -> assertThat(ours)
                        .anyMatch(line -> line.startsWith("WARNING memcached at " + address + " has evicted "))
                        .anyMatch(line -> line.startsWith("WARNING lost the connection to memcached at " + address)));
            }
            assertThat(driver).isEmpty();
        } finally {
            root.removeHandler(handler);
        }
    }

    @Test
    void theSecretsOfAUrlAreNotShown() {
        assertThat(StoreUrl.parse("memcached://ann:sesame@localhost:11211").toString())
                .doesNotContain("sesame");
    }
}
