// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.acquisition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where clients poll, one that releases a contended lock lets the others ask before it asks again. */
@Timeout(20)
class TurnsTest {
    private static final LockOptions STRICT = LockOptions.defaults().withLocalHandOvers(0);

    /** Others ask again within this time. */
    private static final long SHORTEST_TURN = Duration.ofMillis(5).toNanos();

    private static final long LONGEST_TURN = Duration.ofMillis(55).toNanos();

    private final ManualTicker ticker = new ManualTicker();
    private final Map<Thread, Long> waits = new ConcurrentHashMap<>();
    private final MemoryStore store = new MemoryStore(ticker);
    private final LossyBackend network = new LossyBackend(polling(new MemoryBackend(store)), ticker);
    private final LockClient locks =
            LockClient.builder(network).ticker(watched()).options(STRICT).build();
    private final LockClient others = LockClient.builder(polling(new MemoryBackend(store)))
            .ticker(ticker)
            .options(STRICT)
            .build();

    @AfterEach
    void close() {
        locks.close();
        others.close();
    }

    /** The same time, which shows until when threads of the client wait. */
    private Ticker watched() {
        return new Ticker() {
            @Override
            public long nanos() {
                return ticker.nanos();
            }

            @Override
            public long wallMillis() {
                return ticker.wallMillis();
            }

            @Override
            public void parkUntil(Object blocker, long until) {
                waits.put(Thread.currentThread(), until);
                try {
                    ticker.parkUntil(blocker, until);
                } finally {
                    waits.remove(Thread.currentThread());
                }
            }
        };
    }

    private boolean leavesOthersTheirTurn() {
        long now = ticker.nanos();
        return waits.values().stream().anyMatch(until -> until - now >= SHORTEST_TURN && until - now <= LONGEST_TURN);
    }

    private static LockBackend polling(LockBackend backend) {
        return new ForwardingBackend(backend) {
            @Override
            public Set<Feature> features() {
                Set<Feature> features = EnumSet.copyOf(super.features());
                features.removeAll(Set.of(Feature.PROMPT, Feature.FAIR));
                return features;
            }
        };
    }

    /** Both clients want it: this one was refused while the other had it, and has it now. */
    private Lease contended() throws Exception {
        Lease before = others.lock("a").acquire();
        ticker.awaitParked(1);
        CompletableFuture<Lease> waiting = locks.lock("a").acquireAsync();
        await().until(() -> network.ended(Operation.TRY) > 0);
        before.close();
        return got(waiting);
    }

    private Lease got(CompletableFuture<Lease> waiting) throws Exception {
        await().until(() -> {
            ticker.advance(Duration.ofMillis(10));
            return waiting.isDone();
        });
        return waiting.get();
    }

    @Test
    void whoReleasesAContendedLockLetsOthersAskFirst() throws Exception {
        Lease first = contended();
        long asked = network.calls(Operation.TRY);
        CompletableFuture<Lease> next = locks.lock("a").acquireAsync();
        first.close();
        await().until(() -> leavesOthersTheirTurn() || network.calls(Operation.TRY) > asked);
        ticker.advance(Duration.ofMillis(4));
        assertThat(network.calls(Operation.TRY)).as("not asked yet").isEqualTo(asked);
        Lease theirs = others.lock("a").tryAcquire().orElseThrow();
        theirs.close();
        assertThat(got(next).isHeld()).isTrue();
        assertThat(network.calls(Operation.TRY)).isEqualTo(asked + 1);
    }

    @Test
    void aTryThatDoesNotWaitIsNotHeldUp() throws Exception {
        contended().close();
        assertThat(locks.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aLockThatNobodyElseWantsIsAskedForAtOnce() throws Exception {
        contended().close();
        ticker.advance(Duration.ofSeconds(5));
        locks.lock("a").acquire().close();
        long asked = network.calls(Operation.TRY);
        Lease again = locks.lock("a").acquire();
        assertThat(network.calls(Operation.TRY)).isEqualTo(asked + 1);
        again.close();
    }
}
