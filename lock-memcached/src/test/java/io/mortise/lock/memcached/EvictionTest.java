// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import static io.mortise.lock.memcached.item.Claims.isStored;
import static io.mortise.lock.memcached.item.Claims.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cache forgets what it has no place for (H1, O5, P16): what is promised then, and what is not. */
class EvictionTest {
    private static final Duration LEASE = Duration.ofSeconds(15);

    static MemcachedServer server;

    @BeforeAll
    static void start() {
        server = MemcachedServer.start("-m", "2", "-I", "512k");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aHolderLearnsOfAnEvictionOnlyAtItsNextRenewal() {
        LockOptions options = LockOptions.defaults().withLease(LEASE);
        try (LockClient one = LockClient.builder(server.url()).options(options).build();
                LockClient other =
                        LockClient.builder(server.url()).options(options).build()) {
            CompletableFuture<Loss> loss = new CompletableFuture<>();
            Lease lease = one.lock("lock").tryAcquire().orElseThrow();
            lease.onLost(loss::complete);
            evict("lock");

            // Nobody can know yet: this is why the safety level is what it is.
            assertThat(lease.isHeld()).isTrue();
            Lease second = other.lock("lock").tryAcquire().orElseThrow();
            assertThatThrownBy(lease::fencingToken).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(second::fencingToken).isInstanceOf(UnsupportedOperationException.class);

            assertThat(loss)
                    .succeedsWithin(LEASE.dividedBy(2).plusSeconds(1))
                    .extracting(Loss::cause)
                    .isIn(LossCause.TAKEN_OVER, LossCause.EVICTED_OR_DELETED);
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.release()).isFalse();
            assertThat(second.release())
                    .as("the second holder's lock was left alone")
                    .isTrue();
        }
    }

    /** With items of the size of a lock's, each read at once so that it seems to be of more use, until the lock is gone. */
    private static void evict(String lock) {
        String value = "x".repeat(100);
        for (int i = 0; isStored(server, lock); i++) {
            StringBuilder commands = new StringBuilder();
            for (int j = 0; j < 200; j++) {
                String name = "mortise:filler~" + "0".repeat(50) + String.format("%06d-%06d", i, j);
                commands.append(j == 0 ? "" : "\n")
                        .append("set ")
                        .append(name)
                        .append(" 0 0 100\n")
                        .append(value)
                        .append("\nget ")
                        .append(name)
                        .append("\nget ")
                        .append(name);
            }
            server.command(commands.toString());
        }
        assertThat(server.counter("evictions")).isPositive();
    }

    @Test
    void nothingIsPromisedThatACacheCannotKeep() {
        try (LockClient locks = LockClient.connect(server.url())) {
            assertThat(locks.safetyLevel()).isEqualTo(SafetyLevel.BEST_EFFORT);
            assertThat(locks.features()).doesNotContain(Feature.FENCED);
        }
        try (LockBackend backend = open(server.url())) {
            assertThat(backend.fencingStrength()).isEqualTo(FencingStrength.NONE);
        }
        assertThatThrownBy(() -> LockClient.connect(server.url() + "?mortise.safety=SINGLE_STORE"))
                .hasMessageContaining("BEST_EFFORT");
        assertThatThrownBy(() -> LockClient.connect(server.url() + "?mortise.require=FENCED"))
                .hasMessageContaining("FENCED");
    }
}
