// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.redis.connections.Connections;
import io.mortise.lock.redis.connections.IdleOnly;
import io.mortise.lock.redis.connections.LazyClient;
import io.mortise.lock.redis.connections.SingleMaster;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.tck.scene.BackgroundTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;

/** K6, O7: few connections are enough, and a pool that somebody else has used up loses no lock. */
class PoolTest extends RedisServerTest {
    @Test
    void manyContendedNamesShareOneConnection() throws Exception {
        int names = 300;
        // On a busy machine hundreds of threads that share a connection may each wait for it for seconds.
        String url = server.url() + "?connections=1&mortise.callTimeout=20s";
        List<Loss> losses = new CopyOnWriteArrayList<>();
        try (LockClient one = LockClient.connect(url);
                LockClient other = LockClient.connect(url);
                Lease held = one.lock("held", LockOptions.defaults().withLease(Duration.ofSeconds(6)))
                        .acquire()
                        .onLost(losses::add)) {
            List<BackgroundTask<Boolean>> works = new ArrayList<>();
            for (int i = 0; i < names; i++) {
                String name = "contended-" + i;
                for (LockClient client : List.of(one, other)) {
                    works.add(new BackgroundTask<>(
                            "waiter", () -> client.lock(name).acquire().release()));
                }
            }
            for (BackgroundTask<Boolean> work : works) {
                assertThat(work.get(Duration.ofMinutes(1))).isTrue();
            }
            held.ensureHeld();
            assertThat(losses).isEmpty();
        }
    }

    @Test
    void anExhaustedPoolMakesARenewalUnknown() throws Exception {
        GenericObjectPoolConfig<Connection> small = new GenericObjectPoolConfig<>();
        small.setMaxTotal(1);
        small.setJmxEnabled(false);
        try (RedisClient redis = RedisClient.builder()
                        .hostAndPort(server.host(), server.port())
                        .poolConfig(small)
                        .build();
                RedisBackend backend = RedisBackend.builder(redis).build()) {
            Claim claim = granted(plain(backend, "application"));
            try (Connection busy = redis.getPool().getResource()) {
                assertThat(busy.isConnected()).isTrue();
                assertThat(backend.renewAll(Claims.renewals(claim), Duration.ofMillis(100)))
                        .containsExactly(Answer.UNKNOWN);
                assertUnknown(() -> claim.renew(LEASE, Duration.ofMillis(100)))
                        .hasMessageContaining("make the pool larger");
                assertUnknown(() -> claim.release(Duration.ofMillis(100))).hasMessageContaining("make the pool larger");
            }
            assertThat(claim.renew(LEASE, Claims.AMPLE)).isTrue();
            assertThat(claim.release(Claims.AMPLE)).isTrue();
        }
    }

    /** C2: such a pool asks a server that does not answer once for each idle connection, for two seconds each. */
    @Test
    void aPoolThatTestsItsConnectionsDelaysNoCall() throws Exception {
        GenericObjectPoolConfig<Connection> testing = new GenericObjectPoolConfig<>();
        testing.setTestOnBorrow(true);
        testing.setJmxEnabled(false);
        try (RedisClient redis = RedisClient.builder()
                        .hostAndPort(server.host(), server.port())
                        .poolConfig(testing)
                        .build();
                RedisBackend backend = RedisBackend.builder(redis).build()) {
            List<Connection> idle = new ArrayList<>();
            for (int i = 0; i < testing.getMaxTotal(); i++) {
                idle.add(redis.getPool().getResource());
            }
            idle.forEach(Connection::close);
            Claim claim = granted(plain(backend, "tested"));
            server.pause();
            try {
                long asked = System.nanoTime();
                assertUnknown(() -> claim.renew(LEASE, Duration.ofMillis(500)));
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(6));
            } finally {
                server.resume();
            }
            assertThat(claim.release(Claims.AMPLE)).isTrue();
        }
    }

    /** C2: of callers that come at once, each thinks that the last idle connection is for it. */
    @Test
    void aCallerWhoseIdleConnectionWasTakenConnectsInItsTime() throws Exception {
        DefaultJedisClientConfig slow = DefaultJedisClientConfig.builder()
                .timeoutMillis(5_000)
                .hostAndPortMapper(new IdleOnly())
                .build();
        LazyClient<ConnectionPool> pool =
                LazyClient.made(() -> new TakenFirst(server.host(), server.port(), slow), ConnectionPool::close);
        try (Connections connections = new Connections(SingleMaster.of(pool, "Redis"))) {
            pool.get();
            server.pause();
            try {
                long asked = System.nanoTime();
                assertUnknown(() -> CallDeadline.uninterruptibly(
                        "Redis", Duration.ofMillis(200), deadline -> connections.borrow(0, deadline)));
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(4));
            } finally {
                server.resume();
            }
        }
    }

    /** Has had an idle connection when it is asked, and has none when it is to be taken. */
    private static final class TakenFirst extends ConnectionPool {
        TakenFirst(String host, int port, JedisClientConfig config) {
            super(new HostAndPort(host, port), config);
        }

        @Override
        public int getNumIdle() {
            return 1;
        }
    }
}
