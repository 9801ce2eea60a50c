// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.tck.servers.RedisConnection;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** O5: a server that evicts keys is warned of, and a lock that was evicted is a lock that was lost. */
class EvictionTest {
    private static final Logger LOGGER = Logger.getLogger("io.mortise.lock.redis");
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().equals(Level.WARNING)) {
                warnings.add(new SimpleFormatter().formatMessage(entry));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.addHandler(listener);
        LOGGER.setUseParentHandlers(false);
    }

    @AfterEach
    void listenNoMore() {
        LOGGER.removeHandler(listener);
        LOGGER.setUseParentHandlers(true);
    }

    @Test
    void anEvictedLockIsLost() throws Exception {
        try (RedisServer server = RedisServer.start("--maxmemory", "4mb", "--maxmemory-policy", "allkeys-lru");
                LockClient client = LockClient.connect(server.url())) {
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains(String.valueOf(server.port()), "allkeys-lru", "noeviction");

            List<Loss> losses = new CopyOnWriteArrayList<>();
            Lease lease = client.lock("evicted", LockOptions.defaults().withLease(Duration.ofSeconds(6)))
                    .acquire()
                    .onLost(losses::add);
            fillUntil(server, losses);

            assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.EVICTED_OR_DELETED);
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.release()).isFalse();
        }
    }

    @Test
    void aServerThatDoesNotEvictCausesNoWarning() {
        try (RedisServer server = RedisServer.start("--maxmemory", "4mb", "--maxmemory-policy", "noeviction")) {
            LockClient.connect(server.url()).close();
        }
        try (RedisServer server = RedisServer.start("--maxmemory-policy", "allkeys-lru")) {
            LockClient.connect(server.url()).close();
        }
        assertThat(warnings).isEmpty();
    }

    private static void fillUntil(RedisServer server, List<Loss> losses) throws Exception {
        String value = "x".repeat(10_000);
        long start = System.nanoTime();
        try (RedisConnection connection = new RedisConnection(server.host(), server.port())) {
            for (int i = 0; losses.isEmpty() && System.nanoTime() - start < 60_000_000_000L; i++) {
                connection.command("SET", "filler-" + i, value);
            }
        }
    }
}
