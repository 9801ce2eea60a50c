// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.tck.servers.EtcdServer;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.testing.LossyBackend;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.test.support.FuzzTester;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** ShedLock's own tests of a provider, on each kind of store. */
class MortiseLockProviderTest {
    @Nested
    class InMemory extends ProviderTests {
        @Override
        String start() {
            return "memory:shedlock";
        }
    }

    @Nested
    class InH2 extends ProviderTests {
        @Override
        String start() {
            return "jdbc:h2:mem:shedlock;DB_CLOSE_DELAY=-1";
        }
    }

    @Nested
    class InPostgres extends ProviderTests {
        @Override
        String start() {
            return started(PostgresServer.start()).url();
        }
    }

    @Nested
    class InMariaDb extends ProviderTests {
        @Override
        String start() {
            return started(MariaDbServer.start()).url();
        }
    }

    @Nested
    class InRedis extends ProviderTests {
        @Override
        String start() {
            return started(RedisServer.start()).url();
        }
    }

    @Nested
    class InRedlock extends ProviderTests {
        @Override
        String start() {
            return IntStream.range(0, 3)
                    .mapToObj(
                            i -> URI.create(started(RedisServer.start()).url()).getAuthority())
                    .collect(Collectors.joining(",", "redlock://", "?newQuorum=true"));
        }
    }

    @Nested
    class InEtcd extends ProviderTests {
        @Override
        String start() {
            return started(EtcdServer.start()).url() + "?prefix=" + TEST;
        }
    }

    @Nested
    class InMemcached extends ProviderTests {
        @Override
        String start() {
            return started(MemcachedServer.start()).url() + "?prefix=" + TEST;
        }

        /** A lock may be kept for two seconds longer where a store counts seconds. */
        @Override
        public void shouldLockAtLeastFor() throws InterruptedException {
            doTestShouldLockAtLeastFor(2_100);
        }

        /** As ShedLock's, with fewer turns: each holds a lock for at least some milliseconds, and memcached counts seconds. */
        @Override
        public void fuzzTestShouldPass() throws ExecutionException, InterruptedException {
            new FuzzTester(getLockProvider(), Duration.ofMillis(10), Duration.ofMinutes(5), 1).doFuzzTest();
        }
    }

    /** Its locks end with the session: nothing can keep one for a process that has ended. */
    @Nested
    class InZooKeeper extends ProviderTests {
        @Override
        String start() {
            return started(ZooKeeperServer.start()).url();
        }

        @Override
        public void shouldLockAtLeastFor() {
            assertThatThrownBy(super::shouldLockAtLeastFor)
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("minHold");
        }

        /** As ShedLock's, without a time that locks are kept at least. */
        @Override
        public void fuzzTestShouldPass() {
            assertThatThrownBy(super::fuzzTestShouldPass)
                    .hasCauseInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("minHold");
        }
    }

    /** Others need not wait for the longest time that a job may take. */
    @Test
    void aLockOfAProcessThatDiedIsFreeSoon() throws InterruptedException {
        String url = "memory:shedlock-died?mortise.lease=200ms";
        LossyBackend cut = new LossyBackend(new MemoryBackend(MemoryStore.named("shedlock-died")));
        try (LockClient dead = LockClient.builder(cut)
                        .options(LockOptions.defaults().withLease(Duration.ofMillis(200)))
                        .build();
                LockClient other = LockClient.connect(url)) {
            LockConfiguration hour = configuration(Duration.ofHours(1), Duration.ZERO);
            assertThat(new MortiseLockProvider(dead).lock(hour)).isPresent();
            cut.loseRandomly(1, 1);

            assertThat(other.lock("name").tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }

    private static LockConfiguration configuration(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), "name", atMost, atLeast);
    }
}
